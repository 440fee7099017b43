import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { Client, Pool } from "pg";
import { type SeededAgent, seedAgents } from "../bench/seed-agents.ts";
import {
  type EmbeddedPostgres,
  launchPostgres,
} from "../src/server/store/launch/launch-postgres.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { fireStorm, judgeStorm } from "../test/prove/alert-senders.ts";
import { pauseProcesses } from "../test/pause-processes.ts";
import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import { startTurningProxy, type TurningProxy } from "../test/turning-proxy.ts";
import { followSwitch, freePort, makeDataDir, type Product, startProduct } from "./product.ts";

const OPERATE = join(import.meta.dirname, "../dist/server/operate.js");
const run = promisify(execFile);

const PER_SECOND = 100;
/** Alerts during the restart of every server, one after the other. */
const RESTART_ALERTS = 2_000;
const HANGS_MS = 10_000;
const BEAT_MS = 10;

/** Servers on one database, behind a proxy as in the compose file. */
test.describe("several servers on one database", () => {
  test.describe.configure({ mode: "serial" });

  const folders = [makeDataDir(), makeDataDir(), makeDataDir()] as const;
  const secrets = {
    DELEGATE_SECRET_FILE: writeKeyFile(folders[1].path),
    SESSION_SECRET: randomBytes(32).toString("hex"),
  };
  const servers: Product[] = [];
  const urls: string[] = [];
  let postgres: EmbeddedPostgres;
  let pool: Pool;
  let database: Client;
  let proxy: TurningProxy;
  let trader: Trader;
  let agent: FundedAgent;
  const switches = followSwitch();

  const start = (at: 0 | 1) => {
    const env = {
      ...secrets,
      DATABASE_URL: postgres.url,
      PUBLIC_URL: proxy.url,
      TRUSTED_PROXIES: "127.0.0.1",
      DRAIN_SECONDS: "3",
    };
    const port = Number(new URL(urls[at] ?? "").port);
    return startProduct(folders[at + 1]?.path ?? "", port, env, switches.onLine);
  };

  test.beforeAll(async () => {
    chmodSync(folders[0].path, 0o711);
    postgres = await launchPostgres({
      dataDir: folders[0].path,
      settings: { max_connections: "200" },
    });
    for (let at = 0; at < 2; at += 1) urls.push(`http://127.0.0.1:${await freePort()}`);
    proxy = await startTurningProxy(urls);
    servers.push(await start(0), await start(1));
    pool = new Pool({ connectionString: postgres.url, max: 2 });
    pool.on("error", () => {});
    database = await connect();
    trader = await createTrader(urls[0] ?? "");
    await trader.takePracticeMoney("5", "1000");
    agent = await trader.createAgent("Agent ** SOL-1h");
  });

  test.afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await proxy.close();
    await database.end();
    await pool.end();
    await postgres.stop();
    for (const folder of folders) folder.remove();
  });

  const operate = (command: string) =>
    run(process.execPath, [OPERATE, command], {
      env: { ...process.env, ...secrets, DATA_DIR: folders[1].path, DATABASE_URL: postgres.url },
    });

  /** Whether each server says that the operator has halted trading. */
  const saysHalted = () =>
    Promise.all(
      urls.map(async (url) =>
        JSON.stringify(
          await trader.callAt(url, "GET", `/api/chats/wallet/${trader.address}/agents`),
        ).includes('"halted"'),
      ),
    );

  const wasAskedForHealth = async (url: string) =>
    /http_request_seconds_count\{[^}]*route="\/api\/health"[^}]*status="200"/.test(
      await (await fetch(`${url}/metrics`)).text(),
    );

  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: postgres.url });
    // A restart of the database ends it
    client.on("error", () => {});
    await client.connect();
    return client;
  };

  const newAgents = (): Promise<readonly SeededAgent[]> =>
    seedAgents(pool, secrets.SESSION_SECRET, 40);

  test("one command halts both servers, whatever their data folders", async () => {
    expect((await operate("halt")).stdout).toContain("Halted in the database");
    await expect.poll(saysHalted, { intervals: [50] }).toEqual([true, true]);
    // The processes that trade read it for themselves; an alert before that may still trade
    await expect.poll(() => switches.count("halted")).toBe(4);
    expect(await agent.fire("enter")).toMatchObject({ status: 202 });
    await expect.poll(agent.statuses).toEqual(["failed"]);
    await operate("resume");
    await expect.poll(saysHalted, { intervals: [50] }).toEqual([false, false]);
  });

  test(`both servers restart in turn under ${PER_SECOND} alerts a second without a failed delivery`, async () => {
    const agents = await newAgents();
    const storm = fireStorm({
      agents,
      perSecond: PER_SECOND,
      count: RESTART_ALERTS,
      server: () => proxy.url,
      resends: false,
    });
    for (const at of [0, 1] as const) {
      expect(await servers[at]?.stop()).toBe(0);
      servers[at] = await start(at);
      // Until the proxy has asked it, it takes the server that is back for one that is away
      await expect.poll(() => wasAskedForHealth(urls[at] ?? "")).toBe(true);
    }
    const result = await storm;
    expect(result.failed).toEqual([]);
    expect(result.acknowledged).toHaveLength(RESTART_ALERTS);
    expect(await judgeStorm(database, result, agents)).toEqual([]);
  });

  test("alerts are stored again within a second after a database hung for ten seconds", async () => {
    const agents = await newAgents();
    const storm = fireStorm({
      agents,
      perSecond: PER_SECOND,
      count: 1_500,
      server: (turn) => urls[turn % 2] ?? "",
      resends: true,
    });
    await sleep(1_000);
    const goOn = pauseProcesses(postgres.pid);
    const pausedMs = performance.now();
    await sleep(HANGS_MS);
    goOn();
    const backMs = performance.now();
    // Counted in beats of this process: what the machine takes from it is not the servers'
    const beats: number[] = [];
    const heart = setInterval(() => beats.push(performance.now()), BEAT_MS);
    const result = await storm;
    clearInterval(heart);
    const acknowledged = result.acknowledged.map(({ atMs }) => atMs);
    const during = acknowledged.filter((atMs) => atMs > pausedMs + 1_000 && atMs < backMs);
    const first = Math.min(...acknowledged.filter((atMs) => atMs > backMs));
    test.info().annotations.push({
      type: "first acknowledgement after the hang, milliseconds",
      description: String(Math.round(first - backMs)),
    });
    expect(during).toEqual([]);
    expect(beats.filter((atMs) => atMs < first).length * BEAT_MS).toBeLessThan(1_000);
    expect(result.acknowledged).toHaveLength(1_500);
    expect(await judgeStorm(database, result, agents)).toEqual([]);
  });

  test("a database restart under alerts loses none, and every server reconnects", async () => {
    const agents = await newAgents();
    const result = await fireStorm({
      agents,
      perSecond: PER_SECOND,
      count: 400,
      server: (turn) => urls[turn % 2] ?? "",
      resends: true,
      onAcknowledged: (count) => {
        // What a fast shutdown is asked with; whoever launched it starts it again
        if (count === 100) process.kill(postgres.pid, "SIGINT");
      },
    });
    await expect
      .poll(() => Promise.all(urls.map(async (url) => (await fetch(`${url}/api/health`)).status)))
      .toEqual([200, 200]);
    database = await connect();
    expect(result.acknowledged).toHaveLength(400);
    expect(await judgeStorm(database, result, agents)).toEqual([]);
  });
});
