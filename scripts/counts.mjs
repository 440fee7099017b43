import { readFileSync } from "node:fs";

/** Returns how many tests a runner's JSON report counts; a file that could not even load counts as one failure. */
export function countTests(runner, report) {
  return runner === "vitest" ? countVitest(report) : countPlaywright(report);
}

/** Returns the summary line of a run. A flaky test counts as passed, on its second try. */
export function describeCounts({ passed, failed, skipped, flaky }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped, ${flaky} flaky`;
}

/** Returns the report, or null when the runner died before it wrote one. */
export function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function countVitest(report) {
  const unloadable = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(isFailed),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
    flaky: 0,
  };
}

function countPlaywright({ stats, errors }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    flaky: stats.flaky,
  };
}

function isFailed(test) {
  return test.status === "failed";
}
