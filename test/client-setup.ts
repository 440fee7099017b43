import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { closeDialog } from "../src/client/lib/dialogs.ts";

// Unmounts rendered components and closes the dialog that they opened, so that neither leaks into the next test
afterEach(() => {
  cleanup();
  closeDialog();
});

// Same timeout as the other suites' polls; elements already present are found immediately
configure({ asyncUtilTimeout: 30_000 });
