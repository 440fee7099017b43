import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dependencyProblems } from "./dependency-problems.mjs";
import { root } from "./root.mjs";

const DIGEST = `sha512-${"A".repeat(86)}==`;
const sound = { version: "1.2.3", integrity: DIGEST };

/** Problems of a project with one dependency, locked as told. */
function problemsOf(version: string, entry: object, others: object = {}): string[] {
  const dependencies = { lib: version };
  return dependencyProblems(
    { dependencies },
    { packages: { "": { dependencies }, "node_modules/lib": entry, ...others } },
  );
}

describe("dependencies", () => {
  it("are accepted as one exact version with its digest", () => {
    expect(problemsOf("1.2.3", sound)).toEqual([]);
    expect(
      problemsOf("1.2.3", { ...sound, resolved: "https://registry.npmjs.org/lib/-/lib-1.2.3.tgz" }),
    ).toEqual([]);
  });

  it.each([
    "^1.2.3",
    "~1.2.3",
    "1.x",
    ">=1.2.3",
    "*",
    "latest",
    "1.2.3 || 2.0.0",
    "npm:other@1.2.3",
    "github:someone/lib",
    "git+ssh://git@github.com/someone/lib.git#abc",
    "https://example.org/lib.tgz",
    "file:../lib",
    "link:../lib",
    "workspace:*",
    "",
  ])("are refused as %j", (version) => {
    expect(problemsOf(version, sound)[0]).toContain("is not one exact version");
  });

  it.each<[string, object]>([
    ["without a digest", { version: "1.2.3" }],
    ["with a weak digest", { ...sound, integrity: `sha1-${"A".repeat(27)}=` }],
    ["from another host", { ...sound, resolved: "https://example.org/lib-1.2.3.tgz" }],
    ["from git", { ...sound, resolved: "git+ssh://git@github.com/someone/lib.git#abc" }],
    ["under another name", { ...sound, name: "other" }],
    ["as a link", { ...sound, link: true }],
    ["as an optional build nobody asks for", { version: "1.2.3", optional: true, cpu: ["arm64"] }],
  ])("are refused when locked %s", (_, entry) => {
    expect(problemsOf("1.2.3", entry)).toHaveLength(1);
  });

  const build = { version: "1.2.3", optional: true, dev: true, os: ["darwin"], cpu: ["arm64"] };
  const asking = (name: string, version: string, entry: object) =>
    problemsOf(
      "1.2.3",
      { ...sound, optionalDependencies: { [name]: version } },
      { [`node_modules/${name}`]: entry },
    );

  it("may be an unpublished build of a test tool that a locked package requires in this version", () => {
    expect(asking("litesvm-darwin-arm64", "1.2.3", build)).toEqual([]);
    expect(asking("litesvm-darwin-arm64", "1.2.4", build)).toHaveLength(1);
    expect(asking("litesvm-darwin-arm64", "1.2.3", { ...build, dev: false })).toHaveLength(1);
  });

  it("are refused as another build for another machine without a digest", () => {
    expect(asking("lib-darwin", "1.2.3", build)).toHaveLength(1);
  });

  it("may lie inside the archive of a package that its digest holds", () => {
    const inside = { version: "1.0.0", inBundle: true };
    const within = (parent: string) =>
      problemsOf("1.2.3", sound, { [`${parent}/node_modules/part`]: inside });
    expect(within("node_modules/lib")).toEqual([]);
    expect(within("node_modules/other")).toHaveLength(1);
  });

  it("are refused where manifest and lock do not agree", () => {
    const lock = { packages: { "": { dependencies: {} }, "node_modules/lib": sound } };
    expect(dependencyProblems({ dependencies: { lib: "1.2.3" } }, lock)).toEqual([
      "dependencies: package.json and package-lock.json do not agree.",
    ]);
  });

  it("of this project are accepted", () => {
    const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));
    expect(dependencyProblems(read("package.json"), read("package-lock.json"))).toEqual([]);
  });
});
