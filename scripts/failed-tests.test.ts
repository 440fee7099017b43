import { describe, expect, it } from "vitest";
import { listFailedTests } from "./failed-tests.mjs";

describe("listFailedTests", () => {
  it("names each failed Vitest test with the beginning of its error, and each file that could not load", () => {
    const test = (fullName: string, failureMessages: readonly string[]) => ({
      fullName,
      failureMessages,
      status: failureMessages.length > 0 ? "failed" : "passed",
    });
    const message = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
    const report = {
      testResults: [
        { name: "/a.test.ts", status: "passed", assertionResults: [test("adds", [])] },
        {
          name: "/b.test.ts",
          status: "failed",
          assertionResults: [test("subtracts", [message]), test("divides", [])],
        },
        { name: "/c.test.ts", status: "failed", message: "no such module", assertionResults: [] },
      ],
    };
    const [failed, unloadable, ...others] = listFailedTests("vitest", report);
    expect(failed).toContain("failed: /b.test.ts › subtracts\n  line 0\n  line 1");
    expect(failed).not.toContain("line 12");
    expect(unloadable).toBe("failed: /c.test.ts\n  no such module");
    expect(others).toEqual([]);
  });

  it("names failed and flaky browser tests at any nesting", () => {
    const spec = (title: string, status: string, message: string) => ({
      title,
      tests: [{ status, results: [{ errors: [{ message }] }, { errors: [] }] }],
    });
    const report = {
      errors: [{ message: "the server is gone" }],
      suites: [
        {
          title: "a.spec.ts",
          specs: [spec("opens", "expected", "none"), spec("closes", "unexpected", "still open")],
          suites: [{ title: "a dialog", specs: [spec("leaves", "flaky", "too early")] }],
        },
      ],
    };
    expect(listFailedTests("playwright", report)).toEqual([
      "failed: outside of any test\n  the server is gone",
      "failed: a.spec.ts › closes\n  still open",
      "flaky: a.spec.ts › a dialog › leaves\n  too early",
    ]);
  });
});
