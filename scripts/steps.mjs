import { join } from "node:path";
import { bin, root } from "./root.mjs";

const node = (script) => [process.execPath, join(root, "scripts", script)];
const types = (project) => [bin("tsgo"), "-p", `tsconfig.${project}.json`];

/** Returns the report file of a step's test runner. */
export const reportOf = (name) => join(root, ".cache", "checks", `${name}.json`);

const vitest = (name, ...projects) => [
  bin("vitest"),
  "run",
  "--passWithNoTests",
  ...projects.flatMap((project) => ["--project", project]),
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${reportOf(name)}`,
];

/** Checks, fastest first. A step with `tests` is counted by its runner's report. */
export const steps = [
  { name: "format", commands: [[bin("oxfmt"), "--check", "."]] },
  { name: "lint", commands: [[bin("oxlint"), "."]] },
  {
    name: "types",
    commands: ["pure", "shared", "server", "client", "test"].map(types),
  },
  { name: "dependencies", commands: [node("check-dependencies.mjs")] },
  { name: "boundaries", commands: [node("boundaries.mjs")] },
  { name: "unused", commands: [[bin("knip"), "--no-progress"]] },
  { name: "unit", commands: [vitest("unit", "unit", "client")], tests: "vitest" },
  {
    name: "database",
    commands: [vitest("database", "db", "db-auctions", "db-apart")],
    tests: "vitest",
  },
  {
    name: "build",
    commands: [node("build.mjs"), node("size-files.mjs"), node("size-bundle.mjs")],
  },
  {
    name: "browser",
    commands: [
      node("ensure-built.mjs"),
      [bin("playwright"), "test", "--pass-with-no-tests", "--reporter=list,json"],
    ],
    tests: "playwright",
    needsBrowser: true,
    needs: "build",
  },
];
