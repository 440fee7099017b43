import { spawnSync } from "node:child_process";
import { fail } from "./fail.mjs";
import { bin, root } from "./root.mjs";

const done = spawnSync(bin("depcruise"), ["src", "--output-type", "json"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 200_000_000,
});
if (!done.stdout.startsWith("{")) fail(`dependency-cruiser did not run: ${done.stderr}`);
const { summary } = JSON.parse(done.stdout);

// A parser it cannot use makes it read nothing and report success
if (summary.totalDependenciesCruised === 0) fail("No import was read: the check checked nothing.");

for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle === undefined ? to : cycle.map((step) => step.name).join(" → ");
  const { comment } = summary.ruleSetUsed.forbidden.find(({ name }) => name === rule.name);
  console.log(`${rule.name}: ${from} → ${path}\n  ${comment}`);
}
console.log(
  `${summary.violations.length} violations in ${summary.totalCruised} modules, ${summary.totalDependenciesCruised} imports.`,
);
process.exitCode = summary.violations.length > 0 ? 1 : 0;
