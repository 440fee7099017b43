import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { countTests, describeCounts, readReport } from "./counts.mjs";
import { fail } from "./fail.mjs";
import { listFailedTests } from "./failed-tests.mjs";
import { useRealPrograms } from "./programs.mjs";
import { root } from "./root.mjs";
import { reportOf, steps } from "./steps.mjs";

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const unknown = asked.find((name) => !steps.some((step) => step.name === name));
if (unknown !== undefined) {
  fail(`There is no check "${unknown}"; there are ${steps.map((step) => step.name).join(", ")}.`);
}

const chosen = steps.filter((step) => asked.length === 0 || asked.includes(step.name));
if (chosen.some((step) => step.tests !== undefined)) console.log(useRealPrograms().join("\n"));
const total = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
const broken = new Set();
const named = [];
const startedAt = performance.now();
for (const step of chosen) await runStep(step);

// Said again, because what printed it may be thousands of lines above
for (const test of named) console.log(`\n${test}`);
if (broken.size > 0) console.log(`\nFailed: ${[...broken].join(", ")}`);
console.log(`\n── all of it (${secondsSince(startedAt)} s)`);
console.log(`\n${describeCounts(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function runStep(step) {
  console.log(`\n── ${step.name}`);
  const startedAt = performance.now();
  const counted = await judge(step);
  if (counted.failed > 0) broken.add(step.name);
  for (const key of Object.keys(total)) total[key] += counted[key];
  const verdict = counted.failed > 0 ? "FAILED" : "ok";
  console.log(`── ${step.name} ${verdict} (${secondsSince(startedAt)} s)`);
}

function secondsSince(startedAt) {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

async function judge(step) {
  const failure = { passed: 0, failed: 1, skipped: 0, flaky: 0 };
  if (broken.has(step.needs)) {
    console.log(`Not run, because ${step.needs} failed.`);
    return failure;
  }
  try {
    if (step.needsBrowser) await ensureBrowser(process.env);
  } catch (error) {
    console.log(error.message);
    return failure;
  }
  const report = reportOf(step.name);
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const failed = step.commands.filter((command) => !succeeds(command, report));
  if (step.tests === undefined)
    return failed.length > 0 ? failure : { ...failure, passed: 1, failed: 0 };
  const read = readReport(report);
  if (read === null) return failure;
  const counted = countTests(step.tests, read);
  named.push(...listFailedTests(step.tests, read));
  // A runner may fail for another reason than a test: an error outside of them, a leak, no report
  if (failed.length > 0 && counted.failed === 0) counted.failed = 1;
  return counted;
}

function succeeds([file, ...flags], report) {
  const done = spawnSync(file, flags, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  if (done.error !== undefined) console.log(done.error.message);
  return done.status === 0;
}
