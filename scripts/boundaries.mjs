import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countCodeLines } from "./count-code-lines.mjs";
import { fail } from "./fail.mjs";
import { filesOfWay, filesWithOneUser, readValueImports, readWays } from "./house-rules.mjs";
import { folderCycles } from "./folder-cycles.mjs";
import { bin, root } from "./root.mjs";
import { venueNames } from "./venue-names.mjs";

/** A file and its only user become one where they have no more lines of code together. */
const MAX_LINES = 400;
/** A folder with more files says in its README.md which to open first. */
const MAX_FILES = 25;
/** Folders with one file for each thing of a kind, which a list beside them names. */
const ONE_FILE_EACH = /^src\/client\/(tabs|actions)\/|\/(indicators|\w*-?channels|migrations)\//;
const WAYS = "docs/decisions/178-six-ways-through-the-house.md";

const CRUISED = ["src", "test", "e2e", "bench", "vite.config.ts"];

const done = spawnSync(bin("depcruise"), [...CRUISED, "--output-type", "json"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 200_000_000,
});
if (!done.stdout.startsWith("{")) fail(`dependency-cruiser did not run: ${done.stderr}`);
const { modules, summary } = JSON.parse(done.stdout);

// With an unusable parser the tool reads nothing and reports success
if (summary.totalDependenciesCruised === 0) fail("No import was read: the check checked nothing.");

for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle === undefined ? to : cycle.map((step) => step.name).join(" → ");
  const { comment } = summary.ruleSetUsed.forbidden.find(({ name }) => name === rule.name);
  console.log(`${rule.name}: ${from} → ${path}\n  ${comment}`);
}
console.log(
  `${summary.violations.length} violations in ${summary.totalCruised} modules, ${summary.totalDependenciesCruised} imports.`,
);

const named = venueNames(root);
for (const line of named) {
  console.log(
    `venue-has-no-name: ${line}\n  Ask the venue's profile: a new venue must not need a change here.`,
  );
}
console.log(`${named.length} lines outside a venue's folder name a venue.`);
process.exitCode = summary.violations.length + named.length > 0 ? 1 : 0;

const isTest = (path) => /\.test\.tsx?$/.test(path);
const cycles = folderCycles(
  new Map(
    modules
      .filter(({ source }) => source.startsWith("src/") && !isTest(source))
      .map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]),
  ),
);
for (const cycle of cycles) {
  console.log(
    `no-folder-cycle: ${cycle.join(" ⇄ ")}\n  Folders in a cycle, types included, can only be understood and moved together: what both need lives below them.`,
  );
}
if (cycles.length > 0) process.exitCode = 1;

const isSource = (path) => path.startsWith("src/") && /\.tsx?$/.test(path) && !isTest(path);
const valueImports = new Map(
  modules
    .filter(({ source }) => isSource(source))
    .map(({ source, dependencies }) => [
      source,
      dependencies
        .filter(({ dependencyTypes }) => !dependencyTypes.includes("type-only"))
        .map(({ resolved }) => resolved)
        .filter(isSource),
    ]),
);
for (const { name, entries, length } of readWays(readFileSync(join(root, WAYS), "utf8"))) {
  const missing = entries.find((file) => !valueImports.has(file));
  const way = missing === undefined ? filesOfWay(entries, valueImports) : [];
  console.log(`${name}: ${way.length} files`);
  if (missing === undefined && way.length <= length) continue;
  process.exitCode = 1;
  console.log(
    missing === undefined
      ? `way-grows: ${way.length} files instead of ${length}; new on it: ${newOn(way, entries).join(", ")}\n  Change the calls so that it gets shorter, or say in ${WAYS} why it has to be longer.`
      : `way-begins-nowhere: ${missing}\n  Name the file that the way begins with in ${WAYS}.`,
  );
}

const sources = modules.filter(({ source }) => isSource(source));
const users = new Map(sources.map(({ source }) => [source, []]));
const loadedLater = new Set();
for (const { source, dependencies } of modules) {
  for (const { resolved, dynamic, module } of dependencies) {
    users.get(resolved)?.push(source);
    if (dynamic || module.includes("?worker")) loadedLater.add(resolved);
  }
}
// A file with a rule of its own stays alone, so that the rule holds for nothing else
const linted = readFileSync(join(root, ".oxlintrc.json"), "utf8");
const lonely = filesWithOneUser({
  users: new Map([...users].map(([file, by]) => [file, [...new Set(by)]])),
  lines: new Map(
    sources.map(({ source }) => [source, countCodeLines(readFileSync(join(root, source), "utf8"))]),
  ),
  isLoadedLater: (file) => loadedLater.has(file),
  isListed: (file) => ONE_FILE_EACH.test(file) || linted.includes(file),
  maxLines: MAX_LINES,
});
for (const { file, user } of lonely) {
  console.log(
    `file-has-one-user: ${file} → ${user}\n  Make it part of that file: nobody else reads it, and no test of its own does.`,
  );
}

const inFolder = Map.groupBy(sources, ({ source }) => source.slice(0, source.lastIndexOf("/")));
const unguided = [...inFolder].filter(
  ([folder, files]) => files.length > MAX_FILES && !existsSync(join(root, folder, "README.md")),
);
for (const [folder, files] of unguided) {
  console.log(
    `folder-has-no-index: ${folder} has ${files.length} files\n  Split it by meaning, or say in its README.md which file to open first.`,
  );
}
if (lonely.length + unguided.length > 0) process.exitCode = 1;

/** Returns the files that were not on a way when its length was recorded; all where the history is not there. */
function newOn(way, entries) {
  const git = (...flags) => spawnSync("git", flags, { cwd: root, maxBuffer: 200_000_000 }).stdout;
  const recorded = git("log", "-1", "--format=%H", "--", WAYS).toString().trim();
  const folder = mkdtempSync(join(tmpdir(), "ways-"));
  try {
    spawnSync("tar", ["-x", "-C", folder], { input: git("archive", recorded, "src") });
    const files = readdirSync(folder, { recursive: true }).map(String).filter(isSource);
    const before = new Map(
      files.map((file) => [file, readValueImports(file, readFileSync(join(folder, file), "utf8"))]),
    );
    const known = new Set(filesOfWay(entries, before));
    return way.filter((file) => !known.has(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
