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
const ENTERING = 100;
/** Entries a second. */
const RATE = 2;
const STOP_PERCENT = 3;
const ANSWER_MS = 50;
/** Longest wait for the last stop, in milliseconds. */
const RESTING_MS = 60_000;
const LOOK_MS = 500;

async function readGaps(pool: Pool): Promise<readonly (number | null)[]> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select extract(epoch from stop_rested_at - settled_at)::float8 * 1000 as ms
     from orders where signal = 'OPEN_LONG' and state = 'filled'`,
  );
  return rows.map(({ ms }) => ms);
}

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
  requireOnly(202, await pace(port, agents.length, RATE, next), "The product");
  await orderEnds(pool);
  let gaps = await readGaps(pool);
  for (let waitedMs = 0; gaps.includes(null) && waitedMs < RESTING_MS; waitedMs += LOOK_MS) {
    await sleep(LOOK_MS);
    gaps = await readGaps(pool);
  }
  const known = gaps.flatMap((ms) => ms ?? []).sort((a, b) => a - b);
  say(
    `  ${known.length} of ${gaps.length} stops rest: p50 ${fixed(percentile(known, 0.5), 0)} ms, ` +
      `p99 ${fixed(percentile(known, 0.99), 0)} ms after the fill was read; machine's load ${machineLoad()}`,
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
