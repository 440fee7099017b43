import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

// Without it what one test rendered would still be on the next one's page
afterEach(cleanup);
