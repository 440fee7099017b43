import { execFileSync, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { socketUrl } from "../src/server/store/launch/passwords.ts";
import { createTrader } from "../test/trader.ts";
import { followSwitch, freePort, makeDataDir, startProduct } from "./product.ts";

const checkout = join(import.meta.dirname, "..");

/** Accounts: the server's, which every system has under this name, and one that is neither that nor root. */
const SERVICE = 1;
const STRANGER = 20_002;
const isRoot = process.getuid?.() === 0;

/** A registry that answers nobody, as on a machine without internet. */
const OFFLINE = { npm_config_registry: "http://127.0.0.1:1", npm_config_fetch_retries: "0" };

const { path: folder, remove } = makeDataDir();
const release = join(folder, "release");
const dataDir = join(folder, "data");
const OPERATE = join(release, "dist/server/operate.js");

interface Done {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program as an account with these settings as its environment. */
async function run(
  [file = "", ...flags]: readonly string[],
  settings: Readonly<Record<string, string>>,
  uid?: number,
): Promise<Done> {
  const identity: SpawnOptions = isRoot && uid !== undefined ? { uid, gid: uid } : {};
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", ...settings };
  const child = spawn(file, flags, {
    env,
    cwd: release,
    stdio: ["ignore", "pipe", "pipe"],
    ...identity,
  });
  const said = { out: "", err: "" };
  child.stdout?.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
  const [code] = await once(child, "close");
  return { code: code as number, ...said };
}

const operate = (command: string, at = dataDir, uid?: number) =>
  run([process.execPath, OPERATE, command], { DATA_DIR: at }, uid);

/** The names and times of everything directly in the packages' folder. */
const packages = () =>
  readdirSync(join(release, "node_modules")).map((name) => [
    name,
    statSync(join(release, "node_modules", name)).mtimeMs,
  ]);

/** A release as it is installed: what was built, its packages, and the scripts of a checkout. */
function deploy(): void {
  chmodSync(folder, 0o755);
  mkdirSync(join(release, "node_modules"), { recursive: true });
  for (const name of [
    "dist/server",
    "dist/client",
    "scripts",
    "package.json",
    "package-lock.json",
  ]) {
    cpSync(join(checkout, name), join(release, name), { recursive: true });
  }
  for (const name of readdirSync(join(checkout, "node_modules"))) {
    // Without npm's own notes nobody knows whether these are the locked ones
    if (name.startsWith(".")) continue;
    symlinkSync(join(checkout, "node_modules", name), join(release, "node_modules", name));
  }
  mkdirSync(join(release, ".cache"));
  symlinkSync(join(checkout, ".cache/runtime"), join(release, ".cache/runtime"));
  mkdirSync(dataDir, { mode: 0o711 });
  if (isRoot) chownSync(dataDir, SERVICE, SERVICE);
}

test.describe.configure({ mode: "serial" });
test.beforeAll(deploy);
test.afterAll(remove);

test("a halt by another system account is in force within two seconds, offline and without installing packages", async () => {
  const port = await freePort();
  const identity: SpawnOptions = isRoot ? { uid: SERVICE, gid: SERVICE } : {};
  const server = spawn(process.execPath, [join(release, "dist/server/main.js")], {
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
    ...identity,
  });
  const switches = followSwitch();
  const output = server.stdout as NodeJS.ReadableStream;
  createInterface({ input: output }).on("line", switches.onLine);
  try {
    const isReady = once(output, "data").then(() => true);
    expect(await Promise.race([isReady, once(server, "exit")])).toBe(true);
    const trader = await createTrader(`http://127.0.0.1:${port}`);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Agent ** SOL-1h");
    const saysHalted = async () =>
      JSON.stringify(
        await trader.call("GET", `/api/chats/wallet/${trader.address}/agents`),
      ).includes('"halted"');
    const before = packages();
    const commands = [
      [process.execPath, OPERATE],
      ["npm", "run", "--silent", "operate", "--"],
    ];
    for (const command of commands) {
      expect(await saysHalted()).toBe(false);
      const done = await run([...command, "halt"], { ...OFFLINE, DATA_DIR: dataDir });
      expect(done, done.err).toMatchObject({ code: 0 });
      expect(done.out).toContain("Halted in the database");
      await expect.poll(saysHalted, { intervals: [50] }).toBe(true);
      expect((await operate("resume")).code).toBe(0);
      await expect.poll(saysHalted, { intervals: [50] }).toBe(false);
    }
    expect(packages()).toEqual(before);
    await operate("halt");
    // Each process reads the switch for itself; an alert before that may still trade
    await expect.poll(() => switches.count("halted")).toBe(2);
    expect(await agent.fire("enter")).toMatchObject({ status: 202 });
    await expect.poll(agent.statuses).toEqual(["failed"]);
  } finally {
    const ended = once(server, "close");
    if (server.kill("SIGTERM")) await ended;
  }
});

test("a folder without a database is reported in one line, and nothing is created there", async () => {
  const wrong = join(folder, "wrong");
  for (const command of ["halt", "resume", "keys", "after-restore", "trace 00000000", "backup a"]) {
    const { code, err } = await run([process.execPath, OPERATE, ...command.split(" ")], {
      DATA_DIR: wrong,
    });
    expect([code, err]).toEqual([1, `DATA_DIR: there is no database in ${wrong}.\n`]);
  }
  expect(existsSync(wrong)).toBe(false);
});

test("on a stopped server's data, another system account is told which account to use", async () => {
  test.skip(!isRoot, "only root has other accounts");
  const sentence = (of: string) =>
    `DATA_DIR: ${dataDir}/postgres belongs to the account ${of}; run this as that account (sudo -u '${of}' …) or choose another folder.`;
  for (const uid of [0, STRANGER]) {
    for (const command of ["halt", "keys"]) {
      const { code, err } = await operate(command, dataDir, uid);
      expect(code).toBe(1);
      expect(err).toContain(sentence("daemon"));
    }
  }
  const server = await run([process.execPath, join(release, "dist/server/main.js")], {
    DATA_DIR: dataDir,
    PORT: "0",
  });
  expect([server.code, server.err]).toEqual([1, `${sentence("daemon")}\n`]);
  expect(await operate("resume", dataDir, SERVICE)).toMatchObject({ code: 0 });
});

test("without a build it says so and installs nothing", async () => {
  const before = packages();
  const bare = join(folder, "bare");
  mkdirSync(bare);
  for (const name of ["scripts", "package.json", "package-lock.json"]) {
    cpSync(join(checkout, name), join(bare, name), { recursive: true });
  }
  const { code, err } = await run(
    ["npm", "run", "--silent", "--prefix", bare, "operate", "--", "halt"],
    OFFLINE,
  );
  expect(code).toBe(1);
  expect(err.split("\n")[0]).toMatch(/^Nothing is built here: .* A file HALT in DATA_DIR/);
  expect(existsSync(join(bare, "node_modules"))).toBe(false);
  expect(packages()).toEqual(before);
});

test("the four roles of deploy/database-roles.sql suffice to serve, back up and restore", async () => {
  const own = makeDataDir();
  chmodSync(own.path, 0o711);
  const postgres = await launchPostgres({ dataDir: own.path });
  const sql = readFileSync(join(checkout, "deploy/database-roles.sql"), "utf8")
    // What psql alone understands
    .replaceAll(/^(?:--|\\getenv) .*$/gm, "")
    .replaceAll(/:'\w+'/g, "'a password'")
    // The embedded server has roles of its own
    .replaceAll("wheelhouse", "of_own");
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  for (const statement of sql.split(";")) await client.query(statement);
  const isSuper = await client.query("select rolsuper from pg_roles where rolname like 'of_own%'");
  expect(isSuper.rows.map((row: { rolsuper: boolean }) => row.rolsuper)).not.toContain(true);
  await client.end();
  const socket = new URL(postgres.url).searchParams.get("host") ?? "";
  const settings = {
    DATA_DIR: join(own.path, "server"),
    PORT: String(await freePort()),
    DATABASE_URL: socketUrl(socket, "of_own", "of_own", "a%20password"),
    DATABASE_TRADING_URL: socketUrl(socket, "of_own", "of_own_trading", "a%20password"),
    DATABASE_SIGNER_URL: socketUrl(socket, "of_own", "of_own_signer", "a%20password"),
    DATABASE_OWNER_URL: socketUrl(socket, "of_own", "of_own_owner", "a%20password"),
  };
  const say = (...command: string[]) => run([process.execPath, OPERATE, ...command], settings);
  const asSigner = async (statement: string) => {
    const signer = new Client({ connectionString: settings.DATABASE_SIGNER_URL });
    await signer.connect();
    await signer.query(statement).finally(() => signer.end());
  };
  /** Only root can make a disk that is soon full. */
  const toFullDisk = async (small: string) => {
    mkdirSync(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", small]);
    try {
      const full = join(small, "a.backup");
      const { code, err } = await say("backup", full);
      expect([code, err]).toEqual([1, `${full} cannot be written (ENOSPC).\n`]);
      expect(readdirSync(small)).toEqual([]);
    } finally {
      execFileSync("umount", [small]);
    }
  };
  try {
    const product = await startProduct(settings.DATA_DIR, Number(settings.PORT), settings);
    const file = join(own.path, "a.backup");
    expect(await say("halt")).toMatchObject({ code: 0 });
    expect(await say("backup", file)).toMatchObject({ code: 0 });
    // A signer by itself has its own role and perhaps the owner's address, never those of the others
    const { DATABASE_SIGNER_URL, DATABASE_OWNER_URL, DATA_DIR } = settings;
    const atSigner = { DATA_DIR, DATABASE_URL: DATABASE_SIGNER_URL };
    const keys = (...command: string[]) => [process.execPath, OPERATE, ...command];
    expect(await run(keys("keys"), atSigner)).toMatchObject({ code: 0, err: "" });
    expect(
      await run(keys("rotate-keys", "--all"), { ...atSigner, DATABASE_OWNER_URL }),
    ).toMatchObject({ code: 0, err: "" });
    await expect(asSigner("update agents set name = name")).rejects.toThrow("permission denied");
    if (isRoot) await toFullDisk(join(own.path, "small"));
    expect(await product.stop()).toBe(0);
    expect(await say("restore", file, "--replace")).toMatchObject({ code: 0, err: "" });
    const again = await startProduct(settings.DATA_DIR, Number(settings.PORT), settings);
    expect(await again.stop()).toBe(0);
  } finally {
    await postgres.stop();
    own.remove();
  }
});
