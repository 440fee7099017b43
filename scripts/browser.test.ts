import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
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
