import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { isOpenOrderState, ORDER_STATES } from "../src/domain/order/order-states.ts";
import { freePort } from "../test/server-process.ts";
import type { FundedAgent } from "../test/trader.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { fixed, machineLoad, requireOnly, say, timestamp } from "./figures.ts";
import { createFundedAgents, ON_PRACTICE } from "./funded-agents.ts";
import { pace, percentile } from "./http-load.ts";
import { cpuMsOf, databaseCpuMs, startProgram } from "./processes.ts";

const OWNERS = 50;
const AGENTS_OF_OWNER = 20;
const ENTERING = OWNERS * AGENTS_OF_OWNER;
/** Agents that hold a position when the bar closes and leave it in the middle of the entries. */
const LEAVING = 50;
/** Longest wait for the last order to end, in milliseconds: an alert's age, an auction and what follows. */
const ENDING_MS = 400_000;
const LOOK_MS = 500;

type Signal = "enter" | "exit";

/** Alerts each agent once, as fast as the door takes it, in the order given. */
async function alertAll(port: number, agents: readonly FundedAgent[], signal: Signal) {
  let sent = 0;
  const next = () => {
    const agent = agents[sent % agents.length];
    if (agent === undefined) throw new Error("There is no agent to alert");
    sent += 1;
    const body = agent.alertBody(signal, timestamp(Date.now()));
    return { path: `/webhook/${agent.botId}`, body };
  };
  requireOnly(202, await pace(port, agents.length, 1_000, next), "The product");
}

async function orderEnds(pool: Pool): Promise<void> {
  const open = ORDER_STATES.filter((state) => isOpenOrderState(state));
  for (let waitedMs = 0; waitedMs < ENDING_MS; waitedMs += LOOK_MS) {
    const { rows } = await pool.query("select from orders where state = any($1) limit 1", [open]);
    if (rows.length === 0) return;
    await sleep(LOOK_MS);
  }
}

interface Wait {
  readonly owner: string;
  readonly isExit: boolean;
  readonly state: string;
  readonly reason: string | null;
  /** From the alert's arrival until its first order was sent; null when none was. */
  readonly ms: number | null;
}

async function readWaits(pool: Pool, sinceMs: number): Promise<readonly Wait[]> {
  const { rows } = await pool.query<Wait>(
    `select a.owner, o.signal like 'CLOSE%' as "isExit", o.state, o.reason,
       extract(epoch from o.submitted_at - e.received_at)::float8 * 1000 as ms
     from orders o join alert_events e on e.id = o.event_id join agents a on a.id = o.agent_id
     where e.received_at >= $1`,
    [new Date(sinceMs)],
  );
  return rows;
}

/** Jain's index of the owners' mean waits: 1 when all wait the same. */
function fairness(waits: readonly Wait[]): number {
  const means = [...Map.groupBy(waits, ({ owner }) => owner).values()].map(
    (own) => own.reduce((sum, { ms }) => sum + (ms ?? 0), 0) / own.length,
  );
  const sum = means.reduce((all, mean) => all + mean, 0);
  return sum ** 2 / (means.length * means.reduce((all, mean) => all + mean ** 2, 0));
}

function sayWaits(name: string, waits: readonly Wait[]): void {
  const sorted = waits.flatMap(({ ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b);
  const ends = Map.groupBy(waits, ({ state, reason }) => `${state} ${reason ?? ""}`.trim());
  const counts = [...ends].map(([end, { length }]) => `${length} ${end}`).join(", ");
  say(
    `  ${name}: ${counts}; alert to order sent p50 ${fixed(percentile(sorted, 0.5) / 1_000, 2)} s, ` +
      `p99 ${fixed(percentile(sorted, 0.99) / 1_000, 2)} s`,
  );
}

say(`One bar close: ${ENTERING} agents of ${OWNERS} owners enter, ${LEAVING} others leave:`);
await withDatabase(async (url, pool, databasePid) => {
  const port = await freePort();
  const product = await startProgram(join(import.meta.dirname, "../server/main.js"), {
    DATABASE_URL: url,
    LOG_LEVEL: "warn",
    PORT: String(port),
    SESSION_SECRET: randomBytes(32).toString("hex"),
    DATA_DIR: newDataDir(),
  });
  const funded = { ...ON_PRACTICE, ofOwner: AGENTS_OF_OWNER };
  const entering = await createFundedAgents(port, ENTERING, funded);
  const leaving = await createFundedAgents(port, LEAVING, funded);
  await alertAll(port, leaving, "enter");
  await orderEnds(pool);
  const cpuMs = () =>
    [...cpuMsOf(product.pid).values()].reduce((sum, ms) => sum + ms, databaseCpuMs(databasePid));
  const [startedAtMs, cpuBeforeMs] = [Date.now(), cpuMs()];
  await Promise.all([
    alertAll(port, entering, "enter"),
    sleep(LOOK_MS).then(() => alertAll(port, leaving, "exit")),
  ]);
  await orderEnds(pool);
  const tookMs = Date.now() - startedAtMs;
  const waits = await readWaits(pool, startedAtMs);
  const entries = waits.filter(({ isExit }) => !isExit);
  sayWaits("entries", entries);
  sayWaits(
    "exits",
    waits.filter(({ isExit }) => isExit),
  );
  say(
    `  fairness between owners ${fixed(fairness(entries), 3)} (Jain's index of mean waits); all over after ${fixed(tookMs / 1_000, 1)} s; ` +
      `processor time ${fixed((cpuMs() - cpuBeforeMs) / waits.length, 1)} ms an order; machine's load ${machineLoad()}`,
  );
  await product.stop();
});
