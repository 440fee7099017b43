import { randomBytes } from "node:crypto";
import { expect, test } from "@playwright/test";
import { Pool } from "pg";
import { type SeededAgent, seedAgents } from "../bench/seed-agents.ts";
import type { Finding } from "../test/judge/judge.ts";
import {
  fireStorm,
  judgeStorm,
  type Storm,
  type StormOptions,
} from "../test/prove/alert-senders.ts";
import { inSession } from "../src/server/store/postgres/in-session.ts";
import { type DatabasePair, openDatabasePair } from "../test/database-pair.ts";
import { writeKeyFile } from "../test/key-file.ts";
import {
  type LeaderFault,
  missingForPatroni,
  openPatroniCluster,
} from "../test/patroni-cluster.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";
import { patient } from "../test/patient.ts";

const PER_SECOND = 100;

interface Deployment {
  readonly agents: readonly SeededAgent[];
  /** Sends alerts to all servers in turn, again until they are acknowledged. */
  storm(options: Pick<StormOptions, "count" | "first" | "onAcknowledged">): Promise<Storm>;
  /** Returns the operator's page. */
  status(): Promise<string>;
  /** Judges the database in charge now. */
  judge(storm: Storm): Promise<readonly Finding[]>;
  close(): Promise<void>;
}

/** Starts servers that share a database. */
async function deploy(pair: Pick<DatabasePair, "url">, count: number): Promise<Deployment> {
  const folders = Array.from({ length: count }, () => makeDataDir());
  const secrets = {
    DELEGATE_SECRET_FILE: writeKeyFile(folders[0]?.path ?? ""),
    SESSION_SECRET: randomBytes(32).toString("hex"),
  };
  const servers: Product[] = [];
  for (const { path } of folders) {
    servers.push(
      await startProduct(path, await freePort(), {
        ...secrets,
        DATABASE_URL: pair.url,
        LOG_LEVEL: "fatal",
      }),
    );
  }
  const pool = new Pool({ connectionString: pair.url });
  const agents = await seedAgents(pool, secrets.SESSION_SECRET, 40);
  await pool.end();
  return {
    agents,
    storm: (options) =>
      fireStorm({
        ...options,
        agents,
        perSecond: PER_SECOND,
        server: (turn) => servers[turn % servers.length]?.url ?? "",
        resends: true,
      }),
    status: async () => (await fetch(`${servers[0]?.url}/status`)).text(),
    judge: (storm) => inSession(pair.url, (client) => judgeStorm(client, storm, agents)),
    async close() {
      await Promise.all(servers.map((server) => server.kill()));
      for (const folder of folders) folder.remove();
    },
  };
}

test("a synchronous standby replaces a lost primary without losing an acknowledged alert", async () => {
  const pair = await openDatabasePair(true);
  const deployment = await deploy(pair, 3);
  try {
    const statusBefore = await deployment.status();
    let lost: Promise<void> = Promise.resolve();
    const storm = await deployment.storm({
      count: 1_000,
      onAcknowledged: (count) => {
        if (count === 300) lost = pair.losePrimary();
      },
    });
    await lost;
    expect(storm.acknowledged).toHaveLength(1_000);
    expect(statusBefore).toContain("An acknowledged alert is stored on 2 machines.");
    expect(await deployment.judge(storm)).toEqual([]);
  } finally {
    await deployment.close();
    await pair.close();
  }
});

test("the same check finds the alerts that an asynchronous standby lost", async () => {
  const pair = await openDatabasePair(false);
  const deployment = await deploy(pair, 1);
  try {
    // Said before anything is lost
    expect(await deployment.status()).toContain(
      "Wrong: an acknowledged alert is stored on 1 machine",
    );
    const kept = await deployment.storm({ count: 50 });
    await pair.detachStandby();
    const storm = await deployment.storm({ count: 50, first: 400 });
    await pair.losePrimary();
    expect(await deployment.judge(kept)).toEqual([]);
    const lost = (await deployment.judge(storm)).filter(({ kind }) => kind === "lost");
    expect(lost).toHaveLength(50);
  } finally {
    await deployment.close();
    await pair.close();
  }
});

/** Rounds of each fault; none unless asked for, because a failover needs a machine that is not busy. */
const ROUNDS = Number(process.env["PATRONI_ROUNDS"] ?? 0);
const FAULTS = ["killed", "paused", "cut off"] as const satisfies readonly LeaderFault[];

/** Returns the longest time without an acknowledgement, in seconds. */
function longestSilence({ acknowledged }: Storm): number {
  const times = acknowledged.map(({ atMs }) => atMs).toSorted((one, other) => one - other);
  return Math.max(...times.map((at, index) => at - (times[index - 1] ?? at))) / 1_000;
}

test("Patroni replaces a leader that is killed, paused or cut off without losing an acknowledged alert", async () => {
  const missing = ROUNDS === 0 ? "PATRONI_ROUNDS is not set" : missingForPatroni();
  test.skip(missing !== null, missing ?? "");
  test.setTimeout(patient(ROUNDS * 900_000));
  const cluster = await openPatroniCluster();
  try {
    await cluster.whole();
    await inSession(`${cluster.url}/postgres`, (client) =>
      client.query("create database wheelhouse"),
    );
    const deployment = await deploy({ url: `${cluster.url}/wheelhouse` }, 2);
    try {
      expect(await deployment.status()).toContain("An acknowledged alert is stored on 2 machines.");
      const acknowledged: Storm["acknowledged"][number][] = [];
      for (let round = 0; round < ROUNDS * FAULTS.length; round += 1) {
        const fault = FAULTS[round % FAULTS.length] ?? "killed";
        let struck: Promise<() => Promise<void>> | undefined;
        const storm = await deployment.storm({
          count: 900,
          onAcknowledged: (count) => {
            if (count === 300) struck = cluster.strike(fault);
          },
        });
        await (
          await struck
        )?.();
        await cluster.whole();
        acknowledged.push(...storm.acknowledged);
        expect(acknowledged).toHaveLength(900 * (round + 1));
        expect(await deployment.judge({ acknowledged, failed: [] })).toEqual([]);
        console.log(`${fault}: ${longestSilence(storm).toFixed(1)} s without an acknowledgement`);
      }
    } finally {
      await deployment.close();
    }
  } finally {
    cluster.close();
  }
});
