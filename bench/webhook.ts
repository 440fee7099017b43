import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Pool } from "pg";
import { freePort } from "../test/server-process.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { fixed, machineLoad, median, requireOnly, say } from "./figures.ts";
import { type LoadResult, pace, saturate } from "./http-load.ts";
import { databaseCpuMs, startProgram } from "./processes.ts";
import { seedAgents } from "./seed-agents.ts";
import { tickShots } from "./tick-shots.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
const BASELINE = join(import.meta.dirname, "baseline.js");
const ROUNDS = 5;
const SATURATED_MS = 2_000;
const PACED_MS = 4_000;
const CONNECTIONS = 32;
const SEEDED_AGENTS = 2_000;
/** Deliveries of a stranger that nobody can read, a second: 10,000 a minute. */
const UNREADABLE_RATE = 167;
/** Alerts a second whose cost in the database is measured. */
const STORED_RATE = 100;

async function benchAcknowledgement(url: string, pool: Pool): Promise<void> {
  const secret = randomBytes(32).toString("hex");
  const env = { DATABASE_URL: url, LOG_LEVEL: "warn" };
  const [productPort, barePort] = [await freePort(), await freePort()];
  const product = await startProgram(PRODUCT, {
    ...env,
    PORT: String(productPort),
    SESSION_SECRET: secret,
    DATA_DIR: newDataDir(),
  });
  const bare = await startProgram(BASELINE, { ...env, PORT: String(barePort) });
  const agents = await seedAgents(pool, secret, SEEDED_AGENTS);
  const next = tickShots(agents);
  const measure = async (
    load: (port: number) => Promise<LoadResult>,
  ): Promise<{ product: LoadResult[]; bare: LoadResult[] }> => {
    const results = { product: [] as LoadResult[], bare: [] as LoadResult[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      results.bare.push(await load(barePort));
      const result = await load(productPort);
      requireOnly(202, result, "The product");
      results.product.push(result);
    }
    return results;
  };
  const report = (name: string, of: { product: LoadResult[]; bare: LoadResult[] }) => {
    const [p, b] = [of.product, of.bare];
    // Compares the adjacent runs of each round, which other load affects equally
    const compare = (pick: (result: LoadResult) => number, digits: number) => {
      const [ours, theirs] = [median(p.map(pick)), median(b.map(pick))];
      const ratios = p.map((result, round) => pick(result) / pick(b[round] as LoadResult));
      return `${fixed(ours, digits)} against ${fixed(theirs, digits)} (${fixed(median(ratios))}x)`;
    };
    say(
      `${name}: ${compare((result) => result.perSecond, 0)} a second; ` +
        `p50 ${compare((result) => result.p50Ms, 1)} ms; p99 ${compare((result) => result.p99Ms, 1)} ms`,
    );
  };
  for (const port of [barePort, productPort]) await saturate(port, CONNECTIONS, 2_000, next);
  report(
    `webhook acknowledged, ${CONNECTIONS} connections`,
    await measure((port) => saturate(port, CONNECTIONS, SATURATED_MS, next)),
  );
  report(
    "webhook acknowledged, 100 a second",
    await measure((port) => pace(port, 100, PACED_MS, next)),
  );
  const unreadable = () => ({ path: `/webhook/${agents[0]?.id}`, body: '{"alertName":"tick",}' });
  report(
    "webhook acknowledged, 100 a second beside 10,000 unreadable ones a minute",
    await measure(async (port) => {
      const isProduct = port === productPort;
      const stranger = isProduct ? pace(port, UNREADABLE_RATE, PACED_MS, unreadable) : null;
      const result = await pace(port, 100, PACED_MS, next);
      await stranger;
      return result;
    }),
  );
  await bare.stop();
  await product.stop();
}

/** What the database does for an alert, by the number of agents: each gets one in turn. */
async function benchStored(url: string, pool: Pool, databasePid: number, count: number) {
  const secret = randomBytes(32).toString("hex");
  const port = await freePort();
  const product = await startProgram(PRODUCT, {
    DATABASE_URL: url,
    LOG_LEVEL: "warn",
    PORT: String(port),
    SESSION_SECRET: secret,
    DATA_DIR: newDataDir(),
  });
  const next = tickShots(await seedAgents(pool, secret, count));
  const write = async () => {
    const { rows } = await pool.query<{ at: string }>(
      "select pg_current_wal_insert_lsn() - '0/0' as at",
    );
    const [from, cpuMs] = [Number(rows[0]?.at), databaseCpuMs(databasePid)];
    const result = await pace(port, STORED_RATE, PACED_MS, next);
    requireOnly(202, result, "The product");
    const after = await pool.query<{ at: string }>(
      "select pg_current_wal_insert_lsn() - '0/0' as at",
    );
    const alerts = (STORED_RATE * PACED_MS) / 1_000;
    return {
      kilobytes: (Number(after.rows[0]?.at) - from) / alerts / 1_000,
      cpuMs: (databaseCpuMs(databasePid) - cpuMs) / alerts,
    };
  };
  // All agents' rows were written once, and their pages are in the log since the last checkpoint
  await saturate(port, CONNECTIONS, PACED_MS, next);
  const usual = await write();
  await pool.query("checkpoint");
  const fresh = await write();
  say(
    `${count} agents: write-ahead log of an alert ${fixed(usual.kilobytes, 1)} kB, ${fixed(fresh.kilobytes, 1)} kB just after a checkpoint; ` +
      `the database's processor time ${fixed(usual.cpuMs)} and ${fixed(fresh.cpuMs)} ms; machine's load ${machineLoad()}`,
  );
  await product.stop();
}

await withDatabase(benchAcknowledgement);
for (const count of [1_000, 10_000]) {
  await withDatabase((url, pool, pid) => benchStored(url, pool, pid, count));
}
