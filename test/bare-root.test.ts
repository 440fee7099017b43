import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "./server-process.ts";
import { patient } from "./patient.ts";

/** Files the image is built from, as the Dockerfile's ignore list allows. */
const COPIED = ["deploy", "docs", "scripts", "src", "package.json", "package-lock.json", ".npmrc"];
const ACCOUNT = 10_001;
/** Memory file system: dpkg flushes every file, which takes about a minute on disk. */
const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const checkout = join(import.meta.dirname, "..");

/** Returns why the steps cannot run on this machine; empty when they can. */
function hindrance(): string {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  const isThere = spawnSync("debootstrap", ["--version"]).status === 0;
  return isThere ? "" : "needs debootstrap";
}

const reason = hindrance();

const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** Registry and certificate settings of npm on this machine. */
const NPM: Readonly<Record<string, string>> = {
  ...(existsSync(CERTIFICATES) ? { NODE_EXTRA_CA_CERTS: CERTIFICATES } : {}),
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(npm_config_registry|https?_proxy)$/i.test(name)
        ? [[name, value]]
        : [],
    ),
  ),
};

/** Creates a minimal Debian root: essential packages, those of the Node image, and this machine's Node and npm. */
function makeBareRoot(root: string): void {
  const run = (file: string, ...flags: string[]) => execFileSync(file, flags, { stdio: "pipe" });
  run("debootstrap", "--variant=minbase", "--include=libatomic1,libstdc++6", "bookworm", root);
  // Programs locate adjacent libraries through /proc
  run("mount", "-t", "proc", "proc", join(root, "proc"));
  for (const file of ["resolv.conf", "hosts", "ssl"]) {
    cpSync(join("/etc", file), join(root, "etc", file), { recursive: true, dereference: true });
  }
  const settings = join(homedir(), ".npmrc");
  if (existsSync(settings)) cpSync(settings, join(root, "root/.npmrc"));
  cpSync(process.execPath, join(root, "usr/local/bin/node"));
  const npm = dirname(dirname(realpathSync(run("which", "npm").toString().trim())));
  cpSync(npm, join(root, "usr/local/lib/npm"), { recursive: true });
  run("ln", "-sf", "../lib/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
}

/** Runs a command in the bare root with its own environment. */
function inside(
  root: string,
  env: Readonly<Record<string, string>>,
  ...command: readonly string[]
): readonly [string, ...string[]] {
  const all = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", HOME: "/root", ...env };
  const set = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  return ["chroot", root, "/usr/bin/env", "-i", "-C", "/app", ...set, ...command];
}

/** Ends what a step began together with the process that runs the step: a killed worker would leave `npm ci` behind. */
const WITH_WORKER = ["--pdeathsig=KILL", "unshare", "--pid", "--fork", "--kill-child"];

interface Started {
  readonly child: ChildProcess;
  readonly lines: string[];
}

const AS_ACCOUNT = [
  "setpriv",
  `--reuid=${ACCOUNT}`,
  `--regid=${ACCOUNT}`,
  "--clear-groups",
  "--no-new-privs",
];

/** Starts the server as the image does: as its account, from its folder. */
function start(root: string, port: number): Started {
  const env = { HOST: "127.0.0.1", PORT: String(port), DATA_DIR: "/data", NODE_ENV: "production" };
  const server = ["node", "--enable-source-maps", "dist/server/main.js"];
  return listen(inside(root, env, ...AS_ACCOUNT, ...server));
}

function listen([file, ...flags]: readonly [string, ...string[]]): Started {
  const child = spawn(file, flags, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  }
  return { child, lines };
}

const SOURCES = ["deploy", "docs", "scripts", "src"];

function copySources(root: string): void {
  const settings = readdirSync(checkout).filter((file) => /^(ts|vite\.)config/.test(file));
  mkdirSync(join(root, "app"), { recursive: true });
  for (const name of [...COPIED, ...settings]) {
    cpSync(join(checkout, name), join(root, "app", name), { recursive: true });
  }
}

/** Packages of npm that hold other Nodes to start on, by hand because each takes minutes: `BARE_NODES="20.18.1 22.12.0"`. */
const OTHER_NODES = (process.env["BARE_NODES"] ?? "")
  .split(" ")
  .filter((version) => version !== "");

/** An npm that runs on Node 18, as the one Debian has beside it does. */
const OLD_NPM = "9.9.4";

/** Unpacks a package of the registry into a new folder of the root. */
function unpack(root: string, spec: string, folder: string): void {
  mkdirSync(join(root, folder), { recursive: true });
  const run = (file: string, ...flags: string[]) =>
    execFileSync(file, flags, { cwd: join(root, folder), stdio: "pipe" });
  const name = run("npm", "pack", "--silent", spec).toString().trim();
  run("tar", "-xzf", name, "--strip-components=1");
}

describe.skipIf(reason !== "")(`the image's steps on a bare file system ${reason}`, () => {
  let root: string;
  /** Why this machine could not unpack a Debian, for instance without its mirror; empty when it could. */
  let missing = "";

  beforeAll(() => {
    root = mkdtempSync(join(MEMORY, "bare-root-"));
    chmodSync(root, 0o755);
    try {
      makeBareRoot(root);
    } catch (error) {
      missing = (error as Error).message;
      return;
    }
    copySources(root);
    for (const script of ["build-image.sh", "install-image.sh"]) {
      const step = inside(root, NPM, "sh", `deploy/${script}`);
      execFileSync("setpriv", [...WITH_WORKER, ...step], { stdio: "pipe" });
    }
    for (const name of SOURCES) rmSync(join(root, "app", name), { recursive: true });
  }, patient(600_000));

  afterAll(() => {
    spawnSync("umount", ["--lazy", join(root, "proc")]);
    rmSync(root, { recursive: true, force: true });
  });

  test("the image starts without rights, serves the page, and stops on a signal", async ({
    skip,
  }) => {
    skip(missing !== "", missing);
    const port = await freePort();
    const { child, lines } = start(root, port);
    const ended = once(child, "exit");
    await expect.poll(() => lines.join("\n"), { timeout: patient(60_000) }).toContain("ready at");
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect(await page.text()).toContain("<title>Wheelhouse</title>");
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
    expect(processesOf(root)).toEqual([ACCOUNT]);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  test("the image ends with one line when its volume is not writable", async ({ skip }) => {
    skip(missing !== "", missing);
    chownSync(join(root, "data"), 0, 0);
    chmodSync(join(root, "data"), 0o555);
    const { child, lines } = start(root, await freePort());
    expect(await once(child, "close")).toEqual([1, null]);
    expect(lines).toEqual([expect.stringMatching(/^DATA_DIR: .*\/data/)]);
  });

  describe("npm start by an ordinary user on the sources", () => {
    const env = {
      HOME: "/home/account",
      npm_config_cache: "/home/account/cache",
      npm_config_update_notifier: "false",
      ...NPM,
    };
    /** Runs `npm start` on the first Node in the path, as npm runs it. */
    const npmStart = (port: number, path: string) =>
      listen(
        inside(
          root,
          { ...env, PATH: path, PORT: String(port) },
          ...AS_ACCOUNT,
          "node",
          "/opt/npm/bin/npm-cli.js",
          "start",
        ),
      );

    beforeAll(() => {
      if (missing !== "") return;
      for (const name of ["node_modules", "dist"]) {
        rmSync(join(root, "app", name), { recursive: true, force: true });
      }
      copySources(root);
      const run = (...command: string[]) => {
        const [file, ...flags] = inside(root, NPM, ...command);
        execFileSync(file, flags, { stdio: "pipe" });
      };
      mkdirSync(join(root, "home/account"), { recursive: true });
      // What the image's steps fetched need not be fetched again
      run("mv", "/root/.npm", "/home/account/cache");
      run("chown", "-R", `${ACCOUNT}:${ACCOUNT}`, "/home/account", "/app");
      unpack(root, `npm@${OLD_NPM}`, "opt/npm");
    }, patient(600_000));

    test("without any Node the image's build says where to get one", ({ skip }) => {
      skip(missing !== "", missing);
      const [file, ...flags] = inside(
        root,
        { PATH: "/usr/bin:/bin" },
        "sh",
        "deploy/build-image.sh",
      );
      const done = spawnSync(file, flags, { encoding: "utf8" });
      expect([done.status, done.stderr]).toEqual([
        1,
        "There is no Node here: docs/node.md says how to get it.\n",
      ]);
    });

    test(
      "works on Debian's own Node 18, first without libatomic1, then with it",
      async ({ skip }) => {
        skip(missing !== "", missing);
        const [file, ...flags] = inside(
          root,
          { ...NPM, DEBIAN_FRONTEND: "noninteractive" },
          "sh",
          "-c",
          "apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs && dpkg --force-depends --purge libatomic1",
        );
        execFileSync(file, flags, { stdio: "pipe" });
        const path = "/usr/bin:/bin";
        const without = npmStart(await freePort(), path);
        expect(await once(without.child, "close")).toEqual([1, null]);
        expect(without.lines.find((line) => line.startsWith("Node "))).toMatch(
          /^Node 18\S+ is older than 22\.12\.0, and Node 26\S+ from \S+ does not run here \(.*libatomic\.so\.1.*\): install the package libatomic1 \(on Fedora libatomic\)\./,
        );
        const again = inside(root, NPM, "apt-get", "install", "-y", "-qq", "libatomic1");
        execFileSync(again[0], again.slice(1), { stdio: "pipe" });
        expect(await startsAndServes(path)).toContain("Wheelhouse");
      },
      patient(600_000),
    );

    test.each(OTHER_NODES)(
      "on Node %s",
      async (version) => {
        unpack(root, `node-linux-${process.arch}@${version}`, `opt/node-${version}`);
        expect(await startsAndServes(`/opt/node-${version}/bin:/usr/bin:/bin`)).toContain(
          "Wheelhouse",
        );
      },
      600_000,
    );

    /** Starts in a folder without packages; returns the page that is served. */
    async function startsAndServes(path: string): Promise<string> {
      for (const name of ["node_modules", "dist", "data"]) {
        rmSync(join(root, "app", name), { recursive: true, force: true });
      }
      const port = await freePort();
      const { child, lines } = npmStart(port, path);
      const ended = once(child, "exit");
      await expect
        .poll(() => child.exitCode !== null || /ready at/.test(lines.join()), {
          timeout: patient(500_000),
        })
        .toBe(true);
      expect(child.exitCode, lines.join("\n")).toBeNull();
      const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
      // This npm keeps a signal to itself; a terminal gives it to all of them
      process.kill(-(child.pid ?? 0), "SIGTERM");
      await ended;
      return page;
    }
  });
});

/** Returns the distinct user ids of processes running below a folder. */
function processesOf(root: string): number[] {
  const shown = execFileSync("ps", ["-eo", "uid=,pid="]).toString().trim().split("\n");
  const own = shown
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(
      ([, pid]) =>
        spawnSync("readlink", [`/proc/${pid}/root`])
          .stdout.toString()
          .trim() === root,
    );
  return [...new Set(own.map(([uid = -1]) => uid))];
}
