/** Lines of an error that are shown again at the end of a run. */
const SHOWN_LINES = 12;

/** Returns what a runner's JSON report calls failed or flaky: a test's file and name, then the first lines of its error. */
export function listFailedTests(runner, report) {
  return runner === "vitest" ? listVitest(report) : listPlaywright(report);
}

function listVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [describe("failed", name, message)] : [];
    return failed.map(({ fullName, failureMessages }) =>
      describe("failed", `${name} › ${fullName}`, failureMessages.join("\n")),
    );
  });
}

function listPlaywright({ suites, errors }) {
  const outside = errors.map(({ message }) => describe("failed", "outside of any test", message));
  return [...outside, ...suites.flatMap((suite) => listSuite(suite, []))];
}

function listSuite({ title, specs = [], suites = [] }, above) {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ status, results }) =>
        describe(
          status === "flaky" ? "flaky" : "failed",
          [...path, spec.title].join(" › "),
          results.flatMap(({ errors }) => errors.map(({ message }) => message)).join("\n"),
        ),
      ),
  );
  return [...own, ...suites.flatMap((suite) => listSuite(suite, path))];
}

function describe(verdict, name, message = "") {
  const shown = message.split("\n").slice(0, SHOWN_LINES);
  return [`${verdict}: ${name}`, ...shown.map((line) => `  ${line}`)].join("\n");
}
