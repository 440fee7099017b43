import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "./fail.mjs";
import { root } from "./root.mjs";
import { npmCommand } from "./runtime.mjs";

// What runs beside keys and money, as CycloneDX, from the lock alone; `npm run sbom -- --all` adds what builds and tests
const [npm, ...before] = npmCommand(process.env);
const scope = process.argv.includes("--all") ? [] : ["--omit=dev"];
const made = spawnSync(
  npm,
  [...before, "sbom", "--package-lock-only", "--sbom-format=cyclonedx", ...scope],
  { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
);
if (made.status !== 0) {
  const [said] = (made.error?.message ?? made.stderr).trim().split("\n");
  fail(`npm made no list, which npm 11 can: ${said}`);
}
const { components } = JSON.parse(made.stdout);
mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(join(root, "dist", "sbom.json"), made.stdout);
console.log(`dist/sbom.json: ${components.length} packages, CycloneDX.`);
