import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { freePort } from "../test/server-process.ts";
import type { FundedAgent } from "../test/trader.ts";
import { newDataDir, withDatabase } from "./bench-database.ts";
import { fixed, machineLoad, requireOnly, say, timestamp } from "./figures.ts";
import { createFundedAgents, fundedAt, ON_PRACTICE } from "./funded-agents.ts";
import { pace, percentile } from "./http-load.ts";
import { countCalls, orderEnds } from "./order-figures.ts";
import { cpuMsOf, databaseCpuMs, startProgram } from "./processes.ts";
import { type ChainNode, type NodeLimits, startNode } from "./start-node.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
/** `--owners 10` measures fewer agents, `--only node` or `--only inside` one of the two chains. */
const { values } = parseArgs({
  options: {
    owners: { type: "string", default: "50" },
    only: { type: "string", default: "inside,node" },
  },
});
const OWNERS = Number(values.owners);
const AGENTS_OF_OWNER = 20;
const ENTERING = OWNERS * AGENTS_OF_OWNER;
/** Agents that hold a position when the bar closes and leave it in the middle of the entries. */
const LEAVING = OWNERS;
/** Time into the entries at which the others leave, in milliseconds. */
const MIDDLE_MS = 500;
/** The product's clock may be this far behind ours, in milliseconds. */
const CLOCKS_APART_MS = 1_000;
/** What a provider's node is taken to allow. */
const PROVIDER: NodeLimits = { answerMs: 50, perSecond: 50 };
/** Pause between two looks for the end of the first round of reconciliation, in milliseconds. */
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

/** Waits until a server that was just started has read every agent once, by far more requests than later rounds take. */
async function firstRoundEnds(pool: Pool, startedAt: Date): Promise<void> {
  const rounds = () => pool.query("select from reconcile_rounds where done_at > $1", [startedAt]);
  while ((await rounds()).rows.length === 0) await sleep(LOOK_MS);
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

/**
 * Alerts all agents once, on the practice chain inside the product or behind a node.
 *
 * The agents are made while the node has no limit: what is measured is the bar's close.
 */
async function benchClose(
  url: string,
  pool: Pool,
  databasePid: number,
  node: ChainNode | null,
): Promise<void> {
  const port = await freePort();
  const settings = {
    DATABASE_URL: url,
    LOG_LEVEL: "warn",
    PORT: String(port),
    SESSION_SECRET: randomBytes(32).toString("hex"),
    DATA_DIR: newDataDir(),
    ...node?.settings,
  };
  let product = await startProgram(PRODUCT, settings);
  const funded = { ...(node === null ? ON_PRACTICE : fundedAt(node)), ofOwner: AGENTS_OF_OWNER };
  const entering = await createFundedAgents(port, ENTERING, funded);
  const leaving = await createFundedAgents(port, LEAVING, funded);
  await alertAll(port, leaving, "enter");
  await orderEnds(pool);
  if (node !== null) {
    await product.stop();
    const RPC_REQUESTS_PER_SECOND = String(PROVIDER.perSecond);
    const startedAt = new Date();
    product = await startProgram(PRODUCT, { ...settings, RPC_REQUESTS_PER_SECOND });
    await firstRoundEnds(pool, startedAt);
    node.limit(PROVIDER);
    await node.takeCalls();
  }
  const cpuMs = () => new Map([...cpuMsOf(product.pid), ["database", databaseCpuMs(databasePid)]]);
  const [startedAtMs, cpuBefore] = [Date.now(), cpuMs()];
  await Promise.all([
    alertAll(port, entering, "enter"),
    sleep(MIDDLE_MS).then(() => alertAll(port, leaving, "exit")),
  ]);
  await orderEnds(pool);
  const tookMs = Date.now() - startedAtMs;
  const cpuAfter = cpuMs();
  const waits = await readWaits(pool, startedAtMs - CLOCKS_APART_MS);
  const entries = waits.filter(({ isExit }) => !isExit);
  sayWaits("entries", entries);
  sayWaits(
    "exits",
    waits.filter(({ isExit }) => isExit),
  );
  const costs = [...cpuAfter].map(
    ([of, ms]) => [of, (ms - (cpuBefore.get(of) ?? 0)) / waits.length] as const,
  );
  say(
    `  fairness between owners ${fixed(fairness(entries), 3)} (Jain's index of mean waits); all over after ${fixed(tookMs / 1_000, 1)} s; ` +
      `processor time ${fixed(
        costs.reduce((sum, [, ms]) => sum + ms, 0),
        1,
      )} ms an order (${costs.map(([of, ms]) => `${of} ${fixed(ms, 1)}`).join(", ")}); machine's load ${machineLoad()}`,
  );
  const calls = await node?.takeCalls();
  if (calls !== undefined) {
    say(
      `  requests of the node per order: ${countCalls(calls, waits.length)}; ` +
        `${fixed((calls.length / tookMs) * 1_000, 1)} a second`,
    );
  }
  await product.stop();
}

say(`One bar close: ${ENTERING} agents of ${OWNERS} owners enter, ${LEAVING} others leave.`);
if (values.only.includes("inside")) {
  say("The practice chain in the product's processes, its own work included:");
  await withDatabase((url, pool, pid) => benchClose(url, pool, pid, null));
}

if (values.only.includes("node")) {
  say(
    `The same chain as a node that answers after ${PROVIDER.answerMs} ms and allows ${PROVIDER.perSecond} requests a second:`,
  );
  const node = await startNode();
  await withDatabase((url, pool, pid) => benchClose(url, pool, pid, node));
  await node.stop();
}
