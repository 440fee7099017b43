import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { Pool } from "pg";
import { seedAgents } from "../bench/seed-agents.ts";
import { findRunningDatabase, launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { openPracticeBench } from "../test/chain-bench.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { type RpcFault, startRpcServer } from "../test/rpc-server.ts";
import { createTrader } from "../test/trader.ts";
import { GENESIS_HASHES } from "../src/solana/rpc-network.ts";
import { wrapChain } from "../test/wrap-chain.ts";
import { freePort, MAIN, makeDataDir, startAlone, startProduct } from "./product.ts";

test("a server that starts before its database waits for it, and says so in one line", async () => {
  const [databaseDir, dataDir] = [makeDataDir(), makeDataDir()];
  chmodSync(databaseDir.path, 0o711);
  const launch = () => launchPostgres({ dataDir: databaseDir.path });
  const made = await launch();
  await made.stop();
  const port = await freePort();
  const server = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      DATA_DIR: dataDir.path,
      PORT: String(port),
      LOG_LEVEL: "error",
      DATABASE_URL: made.url,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  let said = "";
  server.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const waiting = "Waiting for the database, up to 60 seconds: DATABASE_URL (ENOENT)\n";
  await expect.poll(() => said).toBe(waiting);
  const postgres = await launch();
  const ready = `${waiting}Wheelhouse is ready at http://127.0.0.1:${port}\n`;
  await expect.poll(() => said).toContain(ready);
  const rest = said.slice(ready.length);
  expect(rest).toMatch(/^(?:All processes share one role of the database; [^\n]+\n)?$/);
  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await postgres.stop();
  databaseDir.remove();
  dataDir.remove();
});

/** Returns what has each of the product's processes load a file of `test/` first. */
const importing = (file: string): string =>
  `--import=${pathToFileURL(join(import.meta.dirname, "../test", file)).href}`;

test("a machine whose clock is ten minutes behind judges alerts by the database's clock, and says so", async () => {
  const secret = randomBytes(32).toString("hex");
  const product = await startAlone({
    SESSION_SECRET: secret,
    NODE_OPTIONS: importing("shift-clock.mjs"),
    SHIFT_CLOCK_MS: "-600000",
  });
  const pool = new Pool({
    connectionString: findRunningDatabase(product.dataDir) ?? "",
  });
  try {
    const [agent] = await seedAgents(pool, secret, 1);
    if (agent === undefined) throw new Error("No agent was made");
    const fire = async (ageSeconds: number) => {
      const firedAt = new Date(Date.now() - ageSeconds * 1_000).toISOString();
      const answer = await fetch(`${product.url}/webhook/${agent.id}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          agentId: agent.id,
          alertName: "tick",
          timestamp: `${firedAt.slice(0, 19)}Z`,
          token: agent.token,
        }),
      });
      const { status, code } = (await answer.json()) as { status?: string; code?: string };
      return status ?? code;
    };
    expect(await fire(0)).toBe("accepted");
    // By the machine's clock this one is in time
    expect(await fire(400)).toBe("stale_signal");
    const health = await fetch(`${product.url}/api/health`);
    expect(health.status).toBe(200);
    const { clockDifferenceSeconds } = (await health.json()) as { clockDifferenceSeconds: number };
    expect(Math.abs(clockDifferenceSeconds + 600)).toBeLessThan(5);
    const metrics = await (await fetch(`${product.url}/metrics`)).text();
    expect(metrics).toMatch(/^wheelhouse_clock_difference_seconds -(59|60)\d/m);
  } finally {
    await pool.end();
    await product.stop();
  }
});

/** With this many nodes that hang, each asked twice, a start that waited for all would outlast the test. */
const MANY_NODES = 40;

const TROUBLES: readonly {
  readonly nodes: string;
  readonly fault: RpcFault;
  readonly count: number;
  /** What the operator reads on the status page. */
  readonly shown: string;
}[] = [
  {
    nodes: "are down",
    fault: { kind: "status", status: 503 },
    count: 1,
    shown: "No node answers",
  },
  {
    nodes: "take questions and never answer",
    fault: { kind: "hang" },
    count: MANY_NODES,
    shown: "Wrong: unreachable for",
  },
];

for (const { nodes, fault, count, shown } of TROUBLES) {
  test(`a network whose nodes ${nodes} stops nothing else, is named, and works once they are back`, async () => {
    const dataDir = makeDataDir();
    const { chain } = await openPracticeBench();
    const node = await startRpcServer(
      wrapChain(chain, () => ({ genesisHash: async () => GENESIS_HASHES.mainnet })),
    );
    node.behave({ before: () => fault });
    const said: string[] = [];
    const askedByPages: string[] = [];
    const product = await startProduct(
      dataDir.path,
      await freePort(),
      {
        NODE_OPTIONS: importing("say-asked.mjs"),
        NETWORKS: "practice,mainnet",
        RPC_URL_MAINNET: Array.from({ length: count }, (_, n) => `${node.url}/${n}`).join(","),
        DELEGATE_SECRET_FILE: writeKeyFile(dataDir.path),
        SESSION_SECRET: randomBytes(32).toString("hex"),
      },
      (line) => {
        if (line.includes("does not answer")) said.push(line);
        if (line.startsWith("Asked by pages")) askedByPages.push(line);
      },
    );
    try {
      expect(said).toEqual([
        expect.stringContaining(
          "mainnet does not answer: nothing is traded or shown there until it does. The rest is served.",
        ),
      ]);
      const trader = await createTrader(product.url);
      await trader.takePracticeMoney("5", "1000");
      const agent = await trader.createAgent("Agent ** SOL-1h");
      const firedAt = new Date().toISOString();
      expect(await agent.fire("enter", `${firedAt.slice(0, 19)}Z`)).toMatchObject({ status: 202 });
      await expect.poll(() => agent.log()).toMatchObject([{ status: "success" }]);
      const status = async () => (await fetch(`${product.url}/status`)).text();
      const balances = () =>
        trader.call<{ sol: string | null }>(
          "GET",
          `/api/wallets/${trader.address}/balances?network=mainnet`,
        );
      expect((await balances()).sol).toBeNull();
      expect(await status()).toContain(shown);
      node.behave(null);
      const before = askedByPages.length;
      await expect.poll(async () => (await balances()).sol).toBe("0");
      // Trading sends so many fewer: the node allows them together
      await expect.poll(() => askedByPages.slice(before).join()).toMatch(/"mainnet":[1-9]/);
      expect(await status()).not.toContain("No node answers");
    } finally {
      await product.stop();
      await node.close();
      dataDir.remove();
    }
  });
}
