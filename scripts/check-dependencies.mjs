import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dependencyProblems } from "./dependency-problems.mjs";
import { root } from "./root.mjs";

const read = (name) => JSON.parse(readFileSync(join(root, name), "utf8"));
const lock = read("package-lock.json");
const problems = ["", "test/mutation/"].flatMap((folder) =>
  dependencyProblems(read(`${folder}package.json`), read(`${folder}package-lock.json`)),
);
const open = Object.entries(lock.packages).filter(
  ([path, { inBundle, integrity }]) => path && !inBundle && !integrity,
);
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
else {
  console.log("Every dependency is one exact version from the registry, held by its digest,");
  console.log(
    `but ${open.length} test builds for other machines: complete-lockfile.mjs --digests asks for them.`,
  );
}
