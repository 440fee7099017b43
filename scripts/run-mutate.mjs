import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "./fail.mjs";
import { ensureInstalled } from "./install.mjs";
import { useRealPrograms } from "./programs.mjs";
import { root } from "./root.mjs";

// `npm run mutate` changes the code that decides about money, one place at a time, and lists the changes no test
// notices; `npm run mutate -- risk` does so for one group
const folder = join(root, "test", "mutation");
const groups = JSON.parse(readFileSync(join(folder, "groups.json"), "utf8"));
const asked = process.argv.slice(2);
const unknown = asked.find((name) => groups[name] === undefined);
if (unknown !== undefined) {
  fail(`There is no group "${unknown}"; there are ${Object.keys(groups).join(", ")}.`);
}

ensureInstalled(folder);
useRealPrograms();

const stryker = join(folder, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
const config = join("test", "mutation", "stryker.config.json");
for (const [name, { mutate, tests }] of Object.entries(groups)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n── ${name}`);
  const { status } = spawnSync(process.execPath, [stryker, "run", config, "-m", mutate.join(",")], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, MUTATION_TESTS: JSON.stringify(tests) },
  });
  if (status !== 0) process.exitCode = 1;
}
