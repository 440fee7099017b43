import { describe, expect, it } from "vitest";
import { countCodeLines } from "./count-code-lines.mjs";
import { countTests, describeCounts } from "./counts.mjs";

describe("countTests", () => {
  it("counts a test file that could not load as a failure", () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        { status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] },
        { status: "failed", assertionResults: [] },
        { status: "passed", assertionResults: [{ status: "passed" }] },
      ],
    };
    expect(countTests("vitest", report)).toEqual({
      passed: 3,
      failed: 2,
      skipped: 3,
      flaky: 0,
    });
  });

  it("counts an error outside of any browser test as a failure", () => {
    const report = {
      stats: { expected: 4, unexpected: 1, flaky: 0, skipped: 1 },
      errors: [{ message: "the file does not parse" }],
    };
    expect(countTests("playwright", report)).toEqual({
      passed: 4,
      failed: 2,
      skipped: 1,
      flaky: 0,
    });
  });

  it("counts a browser test that needed its second try as passed, and as flaky", () => {
    const report = { stats: { expected: 4, unexpected: 0, flaky: 2, skipped: 1 }, errors: [] };
    expect(countTests("playwright", report)).toEqual({
      passed: 6,
      failed: 0,
      skipped: 1,
      flaky: 2,
    });
  });
});

describe("describeCounts", () => {
  it("names every number, including flaky tests", () => {
    expect(describeCounts({ passed: 6, failed: 0, skipped: 1, flaky: 2 })).toBe(
      "6 passed, 0 failed, 1 skipped, 2 flaky",
    );
  });
});

describe("countCodeLines", () => {
  it("leaves out blank lines and whole-line comments", () => {
    const text =
      "/** One.\n * two\n */\n\nconst a = 1; // kept\n  // not\n/* not */\nconst b = `/*`;\n";
    expect(countCodeLines(text)).toBe(2);
  });
});
