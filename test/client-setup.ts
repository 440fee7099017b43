import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Unmounts rendered components, so that they do not leak into the next test
afterEach(cleanup);

// Same timeout as the other suites' polls; elements already present are found immediately
configure({ asyncUtilTimeout: 30_000 });
