import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Without it what one test rendered would still be on the next one's page
afterEach(cleanup);

// As patient as the other suites' polls; what is there at once is still found at once
configure({ asyncUtilTimeout: 30_000 });
