import { createHash } from "node:crypto";
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

  const packages = (version: string, builds: object = {}) =>
    JSON.stringify({ packages: { "": {}, "node_modules/lib": { version }, ...builds } });
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

  it("runs npm ci once, and not again while the lock file is unchanged", () => {
    expect(install(folder, npm("1.0.0"))).toBeNull();
    expect(install(folder, npm("1.0.0"))).toBeNull();
    lock("1.0.1");
    expect(install(folder, npm("1.0.1"))).toBeNull();
    expect(asked.map(([command]) => command)).toEqual(["ci", "ci"]);
  });

  it("stops when npm ci fails, tries nothing else, and tries again the next time", () => {
    expect(install(folder, npm(null))).toContain("npm refused");
    expect(install(folder, npm(null))).toContain("npm refused");
    expect(asked.map(([command]) => command)).toEqual(["ci", "ci"]);
  });

  describe("with builds for several machines", () => {
    const here = { os: [process.platform], cpu: [process.arch], version: "1.0.0", optional: true };
    const builds = {
      "node_modules/@lib/here": here,
      "node_modules/@lib/not-here": { ...here, cpu: ["none"] },
      "node_modules/@lib/other-system": { ...here, os: ["none"] },
      "node_modules/@lib/everywhere-but-here": { ...here, os: [`!${process.platform}`] },
      // Part of another machine's build
      "node_modules/@lib/part": { version: "1.0.0", optional: true },
    };
    const put = (installed: object) => {
      mkdirSync(join(folder, "node_modules"), { recursive: true });
      writeFileSync(
        join(folder, "node_modules", ".package-lock.json"),
        packages("1.0.0", installed),
      );
    };
    beforeEach(() => writeFileSync(join(folder, "package-lock.json"), packages("1.0.0", builds)));

    it("installs again where the build for this machine is missing, and asks for all builds", () => {
      put({});
      const commands: string[][] = [];
      const done = install(folder, (...command) => {
        commands.push(command);
        put({ "node_modules/@lib/here": here });
        return true;
      });
      expect(done).toBeNull();
      expect(commands).toEqual([
        expect.arrayContaining(["ci", "--include=dev", "--include=optional"]),
      ]);
    });

    it("repairs an incomplete installation that an earlier version accepted", () => {
      put({});
      const lockfile = packages("1.0.0", builds);
      const stamp = createHash("sha256").update(lockfile).digest("hex");
      writeFileSync(join(folder, "node_modules", ".wheelhouse-installed"), stamp);
      install(folder, npm(null));
      expect(asked).toHaveLength(1);
    });

    it("names the packages npm left out, and does not record them as installed", () => {
      const leaveOut = () => {
        put({});
        return true;
      };
      for (const _ of [1, 2]) {
        expect(install(folder, leaveOut)).toContain("npm left out @lib/here, which this machine");
      }
    });

    it("accepts missing builds for other machines", () => {
      put({ "node_modules/@lib/here": here });
      expect(install(folder, npm(null))).toBeNull();
    });
  });
});
