import { DatabaseError } from "pg";
import { expect, it } from "vitest";
import { createLogger } from "./open-process.ts";

function logged(error: unknown): { readonly line: string; readonly err: Record<string, unknown> } {
  const lines: string[] = [];
  const logger = createLogger("debug", { write: (line) => void lines.push(line) });
  logger.warn({ err: error }, "background work failed");
  const line = lines.join("");
  return { line, err: JSON.parse(line).err };
}

it("logs the error of a lost database connection without the connection object", () => {
  const client = { connectionParameters: { password: "canary" }, socket: { buffered: "canary" } };
  const lost = Object.assign(new Error("Connection terminated unexpectedly"), {
    code: "ECONNRESET",
    client,
  });
  const { line, err } = logged(lost);
  expect(line).not.toContain("canary");
  expect(Object.keys(err).toSorted()).toEqual(["code", "message", "stack", "type"]);
  expect(err).toMatchObject({
    type: "Error",
    message: "Connection terminated unexpectedly",
    code: "ECONNRESET",
    stack: expect.stringContaining("logger.test.ts"),
  });
});

it("logs the causes of an error as briefly as the error itself", () => {
  const refused = new DatabaseError("deadlock detected", 17, "error");
  refused.code = "40P01";
  refused.detail = "canary: Process 1 waits for ShareLock";
  const { line, err } = logged(new TypeError("alert not stored", { cause: refused }));
  expect(line).not.toContain("canary");
  expect(err).toMatchObject({
    type: "TypeError",
    cause: { type: "DatabaseError", message: "deadlock detected", code: "40P01" },
  });
});

it("terminates on an error that is its own cause", () => {
  const circular = new Error("again");
  circular.cause = circular;
  expect(logged(circular).line.length).toBeLessThan(20_000);
});

it("logs a thrown value that is no error unchanged", () => {
  expect(logged("no such thing").err).toEqual({ type: "string", message: "no such thing" });
  expect(logged(null).err).toEqual({ type: "object", message: "null" });
});
