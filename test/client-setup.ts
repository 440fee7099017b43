import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach } from "vitest";
import { closeDialog } from "../src/client/lib/dialogs.ts";
import { session } from "../src/client/lib/session.ts";
import { patient } from "./patient.ts";

// Unmounts rendered components and closes the dialog that they opened, so that neither leaks into the next test
afterEach(() => {
  cleanup();
  closeDialog();
});

// A token that one file stored would have the next file's calls renew the session first
afterAll(() => {
  globalThis.localStorage?.clear();
  globalThis.sessionStorage?.clear();
  session.setState({ status: "signed-out", address: "" });
});

// Same timeout as the other suites' polls; elements already present are found immediately
configure({ asyncUtilTimeout: patient(30_000) });
