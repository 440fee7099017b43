import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { findBrowser, findShell } from "./browser.mjs";

describe("findBrowser", () => {
  it("takes the named browser before any other", () => {
    expect(findBrowser({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  });

  it("says in one line that the named browser does not exist", () => {
    expect(() => findBrowser({ CHROMIUM_PATH: "/nowhere/chromium" })).toThrow(
      /^CHROMIUM_PATH: there is no file \/nowhere\/chromium\.$/,
    );
  });
});

describe("findShell", () => {
  it("takes the named browser before any other", () => {
    expect(findShell({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  });

  it("finds an installed browser in every known place", () => {
    const found = findShell({});
    if (found === undefined) expect(findBrowser({})).toBeUndefined();
    else expect(existsSync(found)).toBe(true);
  });
});

/** Returns what a script says that cannot run here. */
function refusalOf(script: string, flags: readonly string[], env: Record<string, string> = {}) {
  const file = join(import.meta.dirname, script);
  const options = { encoding: "utf8", env: { ...process.env, ...env } } as const;
  const { status, stderr, stdout } = spawnSync(process.execPath, [file, ...flags], options);
  return { status, lines: `${stdout}${stderr}`.trim().split("\n") };
}

it("screenshots without a browser end with one line", () => {
  expect(refusalOf("screenshots.mjs", [], { CHROMIUM_PATH: "/nowhere/chromium" })).toEqual({
    status: 1,
    lines: ["CHROMIUM_PATH: there is no file /nowhere/chromium."],
  });
});

it("a bench that does not exist is named in one line", () => {
  const { status, lines } = refusalOf("bench.mjs", ["typo"]);
  expect([status, lines]).toEqual([1, [expect.stringMatching(/^There is no bench typo; there a/)]]);
});

it("an npm that knows no sbom is told of in one line", () => {
  // What npm 8 says, which is not here
  const old = join(mkdtempSync(join(tmpdir(), "wheelhouse-npm-")), "npm.js");
  writeFileSync(
    old,
    `console.error('Unknown command: "sbom"\\n\\nTo see a list'); process.exit(1)`,
  );
  expect(refusalOf("sbom.mjs", [], { npm_execpath: old })).toEqual({
    status: 1,
    lines: ['npm made no list, which npm 11 can: Unknown command: "sbom"'],
  });
  rmSync(dirname(old), { recursive: true });
});
