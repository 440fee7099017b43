import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { install } from "./install.mjs";

describe("installing packages", () => {
  let folder: string;
  const asked: string[][] = [];

  beforeEach(() => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    asked.length = 0;
    folder = mkdtempSync(join(tmpdir(), "wheelhouse-install-"));
    lock("1.0.0");
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const packages = (version: string) =>
    JSON.stringify({ packages: { "": {}, "node_modules/lib": { version } } });
  const lock = (version: string) =>
    writeFileSync(join(folder, "package-lock.json"), packages(version));

  /** An npm that puts this version in place, or refuses. */
  const npm =
    (version: string | null) =>
    (...command: string[]) => {
      asked.push(command);
      if (version === null) return false;
      mkdirSync(join(folder, "node_modules"), { recursive: true });
      writeFileSync(join(folder, "node_modules", ".package-lock.json"), packages(version));
      return true;
    };

  it("asks npm ci once, and not again while the lock stays", () => {
    expect(install(folder, npm("1.0.0"))).toBeNull();
    expect(install(folder, npm("1.0.0"))).toBeNull();
    lock("1.0.1");
    expect(install(folder, npm("1.0.1"))).toBeNull();
    expect(asked.map(([command]) => command)).toEqual(["ci", "ci"]);
  });

  it("stops where npm ci refuses, with nothing else tried, and tries again the next time", () => {
    expect(install(folder, npm(null))).toContain("npm refused");
    expect(install(folder, npm(null))).toContain("npm refused");
    expect(asked.map(([command]) => command)).toEqual(["ci", "ci"]);
  });
});
