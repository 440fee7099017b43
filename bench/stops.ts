import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { freePort } from "../test/server-process.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { fixed, machineLoad, requireOnly, say, timestamp } from "./figures.ts";
import { createFundedAgents, fundedAt, ON_PRACTICE } from "./funded-agents.ts";
import { pace, percentile } from "./http-load.ts";
import { orderEnds } from "./order-figures.ts";
import { startProgram } from "./processes.ts";
import { type ChainNode, startNode } from "./start-node.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
const ENTERING = 50;
/** Entries a second. */
const RATE = 2;
const STOP_PERCENT = 3;
const ANSWER_MS = 50;
/** Longest wait for the last stop, in milliseconds. */
const RESTING_MS = 60_000;
const LOOK_MS = 500;

interface Entry {
  readonly state: string;
  readonly reason: string | null;
  /** From its fill until its stop rested; null for never. */
  readonly ms: number | null;
}

async function readEntries(pool: Pool): Promise<readonly Entry[]> {
  const { rows } = await pool.query<Entry>(
    `select state, reason, extract(epoch from stop_rested_at - settled_at)::float8 * 1000 as ms
     from orders where signal = 'OPEN_LONG'`,
  );
  return rows;
}

const isBare = ({ state, ms }: Entry): boolean => state === "filled" && ms === null;

/** Enters with one agent after the other, and says how long each position had no stop at the exchange. */
async function benchStops(url: string, pool: Pool, node: ChainNode | null): Promise<void> {
  const port = await freePort();
  const product = await startProgram(PRODUCT, {
    DATABASE_URL: url,
    LOG_LEVEL: "warn",
    PORT: String(port),
    SESSION_SECRET: randomBytes(32).toString("hex"),
    DATA_DIR: newDataDir(),
    ...node?.settings,
  });
  const funded = node === null ? ON_PRACTICE : fundedAt(node);
  const stopped = { ...funded, stopPercent: STOP_PERCENT };
  const agents = await createFundedAgents(port, ENTERING, stopped);
  node?.limit({ answerMs: ANSWER_MS, perSecond: 10_000 });
  let sent = 0;
  const next = () => {
    const agent = agents[sent % agents.length];
    if (agent === undefined) throw new Error("There is no agent to alert");
    sent += 1;
    const body = agent.alertBody("enter", timestamp(Date.now()));
    return { path: `/webhook/${agent.botId}`, body };
  };
  requireOnly(202, await pace(port, RATE, (agents.length * 1_000) / RATE, next), "The product");
  await orderEnds(pool);
  let entries = await readEntries(pool);
  for (let waitedMs = 0; entries.some(isBare) && waitedMs < RESTING_MS; waitedMs += LOOK_MS) {
    await sleep(LOOK_MS);
    entries = await readEntries(pool);
  }
  const gaps = entries.flatMap(({ ms }) => ms ?? []).sort((a, b) => a - b);
  const ends = Map.groupBy(entries, ({ state, reason }) => `${state} ${reason ?? ""}`.trim());
  const counts = [...ends].map(([end, { length }]) => `${length} ${end}`).join(", ");
  say(
    `  ${counts}; ${gaps.length} stops rest, p50 ${fixed(percentile(gaps, 0.5), 0)} ms and ` +
      `p99 ${fixed(percentile(gaps, 0.99), 0)} ms after the fill was read; machine's load ${machineLoad()}`,
  );
  await product.stop();
}

say(`From fill to resting stop: ${ENTERING} agents enter, ${RATE} a second.`);
say("The practice chain in the product's processes:");
await withDatabase((url, pool) => benchStops(url, pool, null));

say(`The same chain as a node that answers after ${ANSWER_MS} ms:`);
const node = await startNode();
await withDatabase((url, pool) => benchStops(url, pool, node));
await node.stop();
