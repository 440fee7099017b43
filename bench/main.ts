import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { freePort } from "../e2e/product.ts";
import { launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { createTrader, type FundedAgent } from "../test/trader.ts";
import { type LoadResult, pace, percentile, saturate, type Shot } from "./load.ts";
import { databaseMiB, residentMiB, startProgram } from "./processes.ts";
import { type SeededAgent, seedAgents } from "./seed-agents.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
const BASELINE = join(import.meta.dirname, "baseline.js");

const ROUNDS = 5;
const SATURATED_MS = 2_000;
const PACED_MS = 4_000;
const CONNECTIONS = 32;
const SEEDED_AGENTS = 2_000;
const TRADERS = 5;
const AGENTS_PER_TRADER = 10;
const ALERTS_PER_SECOND = 50;
const TRADED_MS = 5_000;

const median = (values: readonly number[]) =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
const say = (line: string) => process.stdout.write(`${line}\n`);
const fixed = (value: number, digits = 2) => value.toFixed(digits);
const timestamp = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** Bodies that are all different: agents in turn, a second apart for each agent. */
function shots(agents: readonly SeededAgent[]): () => Shot {
  let sent = 0;
  const startedAtMs = Date.now() - 200_000;
  return () => {
    const agent = agents[sent % agents.length] as SeededAgent;
    const lap = Math.floor(sent / agents.length);
    sent += 1;
    return {
      path: `/webhook/${agent.id}`,
      body: JSON.stringify({
        agentId: agent.id,
        alertName: "tick",
        timestamp: timestamp(startedAtMs + lap * 1_000),
        token: agent.token,
      }),
    };
  };
}

function requireOnly(status: number, result: LoadResult, name: string): void {
  const others = [...result.statuses].filter(([code]) => code !== status);
  if (others.length > 0) throw new Error(`${name} answered ${JSON.stringify(others)}`);
}

async function benchStart(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  const port = String(await freePort());
  const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: "warn" };
  const cold = await startProgram(PRODUCT, env);
  await cold.stop();
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = await startProgram(PRODUCT, env);
    warm.push(started.readyMs);
    if (round === ROUNDS - 1) {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      say(
        `memory at rest: server process ${fixed(residentMiB(started.pid), 0)} MiB, ` +
          `embedded database ${fixed(databaseMiB(dataDir), 0)} MiB`,
      );
    }
    await started.stop();
  }
  say(
    `start, empty data folder: ${fixed(cold.readyMs, 0)} ms; later: ${fixed(median(warm), 0)} ms`,
  );
  rmSync(dataDir, { recursive: true, force: true });
}

async function benchAcknowledgement(url: string, secret: string, pool: Pool): Promise<void> {
  const env = { DATABASE_URL: url, LOG_LEVEL: "warn" };
  const [productPort, barePort] = [await freePort(), await freePort()];
  const product = await startProgram(PRODUCT, {
    ...env,
    PORT: String(productPort),
    SESSION_SECRET: secret,
    DATA_DIR: mkdtempSync(join(tmpdir(), "wheelhouse-bench-")),
  });
  const bare = await startProgram(BASELINE, { ...env, PORT: String(barePort) });
  const agents = await seedAgents(pool, secret, SEEDED_AGENTS);
  const next = shots(agents);
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
    // Ratios of each round's two neighbours: what else the machine does meets both
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
  await bare.stop();
  await product.stop();
}

async function benchOrders(url: string, secret: string, pool: Pool): Promise<void> {
  const port = await freePort();
  const product = await startProgram(PRODUCT, {
    DATABASE_URL: url,
    LOG_LEVEL: "warn",
    PORT: String(port),
    SESSION_SECRET: secret,
    DATA_DIR: mkdtempSync(join(tmpdir(), "wheelhouse-bench-")),
  });
  const agents: FundedAgent[] = [];
  for (let index = 0; index < TRADERS; index += 1) {
    const trader = await createTrader(`http://127.0.0.1:${port}`);
    await trader.takePracticeMoney("10", "10000");
    for (let made = 0; made < AGENTS_PER_TRADER; made += 1) {
      agents.push(await trader.createAgent(`Bench ${index} ${made}`));
    }
  }
  let sent = 0;
  const result = await pace(port, ALERTS_PER_SECOND, TRADED_MS, () => {
    const agent = agents[sent % agents.length] as FundedAgent;
    const lap = Math.floor(sent / agents.length);
    sent += 1;
    return {
      path: `/webhook/${agent.botId}`,
      body: agent.alertBody(lap % 2 === 0 ? "enter" : "exit", timestamp(Date.now())),
    };
  });
  requireOnly(202, result, "The product");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const { rows } = await pool.query<{ state: string; ms: number | null }>(
    `select o.state, extract(epoch from o.submitted_at - e.received_at)::float8 * 1000 as ms
     from orders o join alert_events e on e.id = o.event_id
     where o.agent_id = any($1)`,
    [agents.map((agent) => agent.botId)],
  );
  const waits = rows.flatMap((row) => (row.ms === null ? [] : [row.ms])).sort((a, b) => a - b);
  const filled = rows.filter((row) => row.state === "filled").length;
  say(
    `alert to order sent, ${ALERTS_PER_SECOND} alerts a second, ${sent} alerts, ${filled} filled of ${rows.length}: ` +
      `p50 ${fixed(percentile(waits, 0.5), 1)} ms, p99 ${fixed(percentile(waits, 0.99), 1)} ms`,
  );
  await product.stop();
}

await benchStart();
const dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
const server = await launchPostgres({ dataDir, searchPath: process.env["PATH"] ?? "" });
const pool = new Pool({ connectionString: server.url });
const secret = randomBytes(32).toString("hex");
try {
  await benchAcknowledgement(server.url, secret, pool);
  await benchOrders(server.url, secret, pool);
} finally {
  await pool.end();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
