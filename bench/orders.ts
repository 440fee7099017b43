import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { freePort } from "../test/server-process.ts";
import type { FundedAgent } from "../test/trader.ts";
import { createAlertRound } from "./alert-round.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { createStatementCounter, LOG_STATEMENTS } from "./count-statements.ts";
import { createFundedAgents, fundedAt } from "./funded-agents.ts";
import { fixed, machineLoad, requireOnly, say } from "./figures.ts";
import { pace, percentile } from "./http-load.ts";
import { cpuMsOf, cpuMsOfProcess, databaseCpuMs, startProgram } from "./processes.ts";
import { countCalls, orderEnds } from "./order-figures.ts";
import { SHARED, startProduct } from "./size-table/servers.ts";
import { type ChainNode, startNode } from "./start-node.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
/** `--only servers` measures one part; `--servers 1,2` on how many servers; `--seconds 120` how long a rate lasts. */
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "statements,inside,node,servers" },
    servers: { type: "string", default: "1,2,4" },
    seconds: { type: "string", default: "120" },
  },
});
/** Alerts a second. */
const RATES = [50, 100];
/** Time after which an agent's next alert comes: its last order left the auction, and it sends five a minute of six. */
const ROUND_MS = 12_000;
const TRADED_MS = 5_000;
const isMeasured = (part: string) => values.only.includes(part);
const productSettings = (url: string, port: number): Readonly<Record<string, string>> => ({
  DATABASE_URL: url,
  LOG_LEVEL: "warn",
  PORT: String(port),
  SESSION_SECRET: randomBytes(32).toString("hex"),
  DATA_DIR: newDataDir(),
});

/** Few enough for four servers beside each other on two cores, and that none is denied for their number. */
const SERVED_RATE = 20;

interface Reading {
  readonly cpu: ReadonlyMap<string, number>;
  readonly commits: number;
}

/** Returns the processor time of each process per order since an earlier reading, in milliseconds. */
function costSince(before: Reading, after: Reading, orders: number): string {
  return [...after.cpu]
    .map(([name, ms]) => `${name} ${fixed((ms - (before.cpu.get(name) ?? 0)) / orders, 1)}`)
    .join(", ");
}

async function sayWaits(
  pool: Pool,
  agents: readonly string[],
  rate: number,
  sinceMs = 0,
): Promise<number> {
  const { rows } = await pool.query<{ state: string; reason: string | null; ms: number | null }>(
    `select o.state, o.reason, extract(epoch from o.submitted_at - e.received_at)::float8 * 1000 as ms
     from orders o join alert_events e on e.id = o.event_id
     where o.agent_id = any($1) and e.received_at >= $2`,
    [agents, new Date(sinceMs)],
  );
  const waits = rows.flatMap((row) => (row.ms === null ? [] : [row.ms])).sort((a, b) => a - b);
  const filled = rows.filter((row) => row.state === "filled").length;
  const others = rows.filter((row) => row.state !== "filled");
  const ends = Map.groupBy(others, ({ state, reason }) => `${state} ${reason ?? ""}`.trim());
  const missing = [...ends].map(([end, { length }]) => `, ${length} ${end}`).join("");
  say(
    `alert to order sent, ${rate} alerts a second, ${filled} filled of ${rows.length}${missing}: ` +
      `p50 ${fixed(percentile(waits, 0.5), 1)} ms, p99 ${fixed(percentile(waits, 0.99), 1)} ms; machine's load ${machineLoad()}`,
  );
  return rows.length;
}

/** Trades at each rate: with a node the chain is a process of its own, without one it runs in the product's. */
async function benchOrders(
  url: string,
  pool: Pool,
  databasePid: number,
  node: ChainNode | null,
): Promise<void> {
  const port = await freePort();
  const product = await startProgram(PRODUCT, {
    ...productSettings(url, port),
    ...node?.settings,
  });
  const read = async (): Promise<Reading> => {
    const { rows } = await pool.query<{ commits: number }>(
      "select xact_commit::int as commits from pg_stat_database where datname = current_database()",
    );
    const nodes = node === null ? [] : [["the chain's node", cpuMsOfProcess(node.pid)] as const];
    const cpu = [...cpuMsOf(product.pid), ["database", databaseCpuMs(databasePid)] as const];
    return { cpu: new Map([...cpu, ...nodes]), commits: rows[0]?.commits ?? 0 };
  };
  if (node !== null) say("limit lifted for this: RPC_REQUESTS_PER_SECOND is 10000 instead of 10");
  const agents: FundedAgent[] = [];
  for (const rate of RATES) {
    const missing = (rate * ROUND_MS) / 1_000 - agents.length;
    const funded = node === null ? undefined : fundedAt(node);
    agents.push(...(await createFundedAgents(port, missing, funded)));
    const { next } = createAlertRound(agents);
    const trade = async (durationMs: number) => {
      requireOnly(202, await pace(port, rate, durationMs, next), "The product");
      await orderEnds(pool);
    };
    // An entry and an exit of each agent: the first ones read what the next ones know
    await trade(ROUND_MS);
    await trade(ROUND_MS);
    await node?.takeCalls();
    const before = await read();
    const startedAtMs = Date.now();
    await trade(Number(values.seconds) * 1_000);
    const after = await read();
    const calls = await node?.takeCalls();
    const orders = await sayWaits(
      pool,
      agents.map((agent) => agent.botId),
      rate,
      startedAtMs,
    );
    say(
      `  processor time per order in ms, ${costSince(before, after, orders)}; ` +
        `database transactions per order ${fixed((after.commits - before.commits) / orders, 1)}`,
    );
    if (calls !== undefined) say(`  requests of the node per order: ${countCalls(calls, orders)}`);
  }
  await product.stop();
}

/** Counts the statements of an order without those of the practice chain, which are counted beside them. */
async function countStatementsOfOrders(url: string, pool: Pool): Promise<void> {
  const port = await freePort();
  const product = await startProgram(PRODUCT, productSettings(url, port));
  const agents = await createFundedAgents(port, SERVED_RATE);
  const count = await createStatementCounter(pool);
  count();
  await sleep(TRADED_MS);
  const idle = count();
  const startedAtMs = performance.now();
  const result = await pace(port, SERVED_RATE, TRADED_MS, createAlertRound(agents).next);
  requireOnly(202, result, "The product");
  await orderEnds(pool);
  const busy = count();
  const orders = (SERVED_RATE * TRADED_MS) / 1_000;
  // What runs at rest, too, ran as long as the orders did
  const longer = (performance.now() - startedAtMs) / TRADED_MS;
  const perOrder = (ran: number, atRest: number) => (ran - atRest * longer) / orders;
  const rates = [...busy.own]
    .map(([name, ran]) => ({ name, rate: perOrder(ran, idle.own.get(name) ?? 0) }))
    .filter(({ rate }) => rate >= 0.05)
    .sort((one, other) => other.rate - one.rate);
  const total = rates.reduce((sum, { rate }) => sum + rate, 0);
  say(
    `statements per order ${fixed(total, 1)}, commits to disk ${fixed(perOrder(busy.ownCommits, idle.ownCommits), 1)}; ` +
      `of the practice chain beside them ${fixed(perOrder(busy.practice, idle.practice), 1)} and ${fixed(perOrder(busy.practiceCommits, idle.practiceCommits), 1)}`,
  );
  for (const { name, rate } of rates) say(`  ${fixed(rate, 2)} ${name}`);
  await product.stop();
}

/** Trades on several servers of one database, an agent's alerts at any of them; without the processor time of a node. */
async function benchServers(
  url: string,
  pool: Pool,
  databasePid: number,
  count: number,
  node: ChainNode | null,
) {
  const servers = await startProduct(url, count, node?.settings);
  const agents = await createFundedAgents(
    servers.ports[0] ?? 0,
    (SERVED_RATE * TRADED_MS) / 1_000,
    node === null ? undefined : fundedAt(node),
  );
  const cpuMs = () => servers.cpuMs() + databaseCpuMs(databasePid);
  const rest = async () => -cpuMs() + (await sleep(TRADED_MS).then(cpuMs));
  const { next } = createAlertRound(agents);
  const trade = async () => {
    requireOnly(202, await pace(servers.ports, SERVED_RATE, TRADED_MS, next), "The product");
    await orderEnds(pool);
  };
  // An entry and an exit of each agent: what seldom ran takes longer, and on several servers each part ran less often
  await trade();
  await trade();
  const restedMs = await rest();
  const [startedAtMs, before] = [performance.now(), cpuMs()];
  await trade();
  const usedMs = cpuMs() - before;
  const tookMs = performance.now() - startedAtMs;
  // Of what follows set-up or trading neither is idle
  const idleMs = Math.min(restedMs, await rest());
  const idle = (idleMs * tookMs) / TRADED_MS;
  const ids = agents.map((agent) => agent.botId);
  await sayWaits(pool, ids, SERVED_RATE);
  const orders = agents.length;
  say(
    `  ${count} servers: processor time per order ${fixed(usedMs / orders, 1)} ms, database included, ` +
      `${fixed((usedMs - idle) / orders, 1)} ms without the ${fixed(idleMs / (TRADED_MS / 1_000), 1)} ms a second at rest`,
  );
  await servers.stop();
}

if (isMeasured("statements")) {
  say("Statements of an order, each agent entering and leaving in turn:");
  await withDatabase((url, pool) => countStatementsOfOrders(url, pool), LOG_STATEMENTS);
}

if (isMeasured("inside")) {
  say("The practice chain in the product's processes, its own work included:");
  await withDatabase((url, pool, pid) => benchOrders(url, pool, pid, null));
}

if (isMeasured("node")) {
  say("The same chain as a node in a process of its own, asked by JSON-RPC:");
  const node = await startNode();
  await withDatabase((url, pool, pid) => benchOrders(url, pool, pid, node));
  await node.stop();
}

if (isMeasured("servers")) {
  const counts = values.servers.split(",").map(Number);
  say("On several servers of one database, the practice chain in their processes:");
  for (const count of counts) {
    await withDatabase((url, pool, pid) => benchServers(url, pool, pid, count, null), SHARED);
  }
  say("The same with the chain as a node in a process of its own:");
  for (const count of counts) {
    const node = await startNode();
    await withDatabase((url, pool, pid) => benchServers(url, pool, pid, count, node), SHARED);
    await node.stop();
  }
}
