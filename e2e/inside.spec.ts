import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { openDatabaseHost } from "../src/server/main/open-database-host.ts";
import { findRunningDatabase } from "../src/server/store/launch/launch-postgres.ts";
import { type Attempt, FROM_TRADING, FROM_WEB } from "../test/inside/attempts.ts";
import { type HookedBuild, makeHookedBuild } from "../test/inside/hooked-build.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { findProcess } from "../test/prove/process-tree.ts";
import { launchServer } from "../test/server-process.ts";
import { createTrader } from "../test/trader.ts";
import { freePort, makeDataDir } from "./product.ts";

test.skip(process.platform !== "linux", "reads /proc");

/** Makes every attempt; returns those that were not refused as they should be. */
async function attemptAll(
  build: HookedBuild,
  role: "web" | "trading",
  attempts: readonly Attempt[],
  known: object,
): Promise<unknown[]> {
  const passed: unknown[] = [];
  for (const [name, code, refusal] of attempts) {
    const outcome = await build.run(role, code, known);
    if (JSON.stringify(outcome) !== JSON.stringify(refusal)) passed.push([name, outcome]);
  }
  return passed;
}

/** Halts in the database and writes down what attempts must not change; returns what reads it. */
async function haltAndRemember(databaseUrl: string) {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query("update installation set trading_state = 'halted'");
  const read = async () => {
    const { rows } = await database.query(
      "select trading_state, (select json_agg(a order by a::text) from audit_log a) as log from installation",
    );
    return rows as unknown[];
  };
  return { before: await read(), read, end: () => database.end() };
}

test("the product's build has no hook that runs others' code", () => {
  const built = join(import.meta.dirname, "../dist/server");
  const texts = readdirSync(built)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(built, name), "utf8"));
  expect(texts.length).toBeGreaterThan(4);
  for (const text of texts) expect(text).not.toMatch(/ATTACK_PORT|hook\.mjs/);
});

test(`code in the web process is refused ${FROM_WEB.length} ways to a key, a signature, the database or past a halt`, async () => {
  expect(FROM_WEB.length).toBeGreaterThanOrEqual(30);
  expect(new Set(FROM_WEB.map(([name]) => name)).size).toBe(FROM_WEB.length);
  const dataDir = makeDataDir();
  const secretFile = writeKeyFile(dataDir.path);
  const build = await makeHookedBuild();
  const port = await freePort();
  const server = launchServer(build.main, {
    ...process.env,
    ...build.env,
    NETWORKS: "practice",
    DATA_DIR: dataDir.path,
    PORT: String(port),
    LOG_LEVEL: "warn",
    DELEGATE_SECRET_FILE: secretFile,
  });
  try {
    const trader = await createTrader(await server.ready);
    await trader.takePracticeMoney("5", "1000");
    const { botId: agentId } = await trader.createAgent("Agent ** SOL-1h");
    const state = await haltAndRemember(findRunningDatabase(dataDir.path) ?? "");
    writeFileSync(join(dataDir.path, "HALT"), "");
    const signer = findProcess(server.pid, "signer");
    const known = { dataDir: dataDir.path, secretFile, main: server.pid, signer, agentId };
    expect(await attemptAll(build, "web", FROM_WEB, known)).toEqual([]);
    expect(await state.read()).toEqual(state.before);
    expect(readdirSync(dataDir.path)).toContain("HALT");
    expect(readdirSync(dataDir.path)).not.toContain("written");
    expect(findProcess(server.pid, "signer")).toBe(signer);
    await state.end();
  } finally {
    server.signal("SIGTERM");
    await server.ended;
    build.close();
    dataDir.remove();
  }
});

/** Accounts of server and signer, and the group of the signer's sockets. */
const [SERVER, SIGNER, GROUP] = [20_101, 20_102, 20_103];

test(`code in the trading process is refused ${FROM_TRADING.length} ways beside a signer under its own account`, async () => {
  test.skip(process.getuid?.() !== 0, "needs root, to run as two accounts");
  const [databaseDir, signerDir, dataDir] = [makeDataDir(), makeDataDir(), makeDataDir()];
  chmodSync(databaseDir.path, 0o711);
  const host = await openDatabaseHost({
    dataDir: databaseDir.path,
    databaseUrl: undefined,
    databaseOwnerUrl: undefined,
    processUrls: undefined,
  });
  const run = decodeURIComponent(new URL(host.ownerUrl).searchParams.get("host") ?? "");
  // Its password keeps strangers out, so that any account may try
  chmodSync(dirname(realpathSync(run)), 0o711);
  for (const name of ["", ...readdirSync(run).filter((file) => file.startsWith(".s."))]) {
    chmodSync(join(run, name), 0o777);
  }
  const sockets = join(signerDir.path, "run");
  mkdirSync(sockets);
  chmodSync(signerDir.path, 0o755);
  chownSync(sockets, SIGNER, GROUP);
  chmodSync(sockets, 0o750);
  const own = join(signerDir.path, "own");
  mkdirSync(own, { mode: 0o700 });
  const secretFile = writeKeyFile(own);
  const text = randomBytes(32).toString("hex");
  const wordOf = (folder: string, uid: number) => {
    const path = join(folder, "word");
    writeFileSync(path, text, { mode: 0o600 });
    chownSync(path, uid, GROUP);
    chownSync(folder, uid, GROUP);
    return path;
  };
  const build = await makeHookedBuild();
  const port = await freePort();
  const shared = {
    PATH: process.env["PATH"],
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SIGNER_SOCKETS: sockets,
    ...build.env,
  };
  const as = (uid: number, file: string, env: NodeJS.ProcessEnv) =>
    spawn(process.execPath, [file], {
      uid,
      gid: GROUP,
      cwd: "/",
      env: { ...shared, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
  const signerWord = wordOf(own, SIGNER);
  chownSync(secretFile, SIGNER, GROUP);
  const signer = as(SIGNER, build.signer, {
    DATABASE_URL: host.urls.signer,
    DATA_DIR: own,
    DELEGATE_SECRET_FILE: secretFile,
    SIGNER_WORD_FILE: signerWord,
  });
  const server = as(SERVER, build.main, {
    DATABASE_URL: host.urls.web,
    DATABASE_TRADING_URL: host.urls.trading,
    DATABASE_SIGNER_URL: host.urls.signer.replace(/&?password=[^&]*/, ""),
    DATABASE_OWNER_URL: host.ownerUrl,
    DATA_DIR: dataDir.path,
    SIGNER_WORD_FILE: wordOf(dataDir.path, SERVER),
    PORT: String(port),
    LOG_LEVEL: "warn",
  });
  const ended = [signer, server].map((child) => once(child, "exit"));
  try {
    let said = "";
    server.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said).toContain("ready at");
    const trader = await createTrader(`http://127.0.0.1:${port}`);
    await trader.takePracticeMoney("5", "1000");
    const { botId: agentId } = await trader.createAgent("Agent ** SOL-1h");
    const state = await haltAndRemember(host.ownerUrl);
    writeFileSync(join(own, "HALT"), "");
    const known = { secretFile, signer: signer.pid, sockets, signerDir: own, agentId };
    expect(await attemptAll(build, "trading", FROM_TRADING, known)).toEqual([]);
    expect(await state.read()).toEqual(state.before);
    expect(readdirSync(own)).toContain("HALT");
    expect(signer.exitCode).toBeNull();
    await state.end();
  } finally {
    server.kill("SIGTERM");
    await ended[1];
    signer.kill("SIGTERM");
    await ended[0];
    build.close();
    await host.close();
    for (const folder of [databaseDir, signerDir, dataDir]) folder.remove();
  }
});
