import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import { parseDecimal } from "../../src/domain/amount.ts";
import { createPracticeChain } from "../../src/practice/practice-chain.ts";
import { createKeeper } from "../../src/practice/programs/drift/keeper.ts";
import { createPracticeLedger } from "../../src/server/store/practice/practice-ledger.ts";
import { DRIFT_INSTANCES } from "../../src/venues/drift/instance.ts";
import { OPEN_ORDERS_OFFSET } from "../../src/venues/drift/layout-user.ts";
import { onlyAlerts } from "../judge/actions.ts";
import { readSnapshot } from "../judge/evidence.ts";
import { type Finding, judge } from "../judge/judge.ts";
import { freePort, launchServer, type ServerProcess } from "../server-process.ts";
import { createTrader, type FundedAgent } from "../trader.ts";
import { descendantsOf, signalAll } from "./process-tree.ts";
import { sharedDatabase } from "./proof-database.ts";
import { waitForRest } from "./rest.ts";
import { describeOpen, REST_MS, serverEnv } from "./run-proof.ts";

const AGENTS_OF_EACH_ROUND = 4;
const STOP_PERCENT = 3;

/** Longest waits for stops to rest, to fire and to be told, in milliseconds. */
const RESTS_MS = 30_000;
const FIRES_MS = 120_000;
const TOLD_MS = 60_000;
const LOOK_MS = 200;

/** The market falls this far below the lowest stop, in ten-thousandths. */
const BELOW = 30n;

interface StopsSettings {
  readonly main: string;
  /** An empty folder that the run may fill. */
  readonly folder: string;
  readonly rounds: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

interface StopsProof {
  readonly rounds: number;
  readonly stops: number;
  readonly findings: readonly Finding[];
}

/**
 * Proves that stops hold while the server is off: each round kills the whole server, moves the market through the stops
 * of open positions and lets a keeper fire them at the exchange; then the server comes back and has to tell it.
 */
export async function proveStops(settings: StopsSettings): Promise<StopsProof> {
  const { main, folder, rounds, say, signal } = settings;
  const database = await sharedDatabase(join(folder, "database"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...serverEnv(settings, database, url),
    DATA_DIR: join(folder, "server"),
    PORT: String(port),
  };
  const launch = async (): Promise<ServerProcess> => {
    const log = (line: string) => appendFileSync(join(folder, "server.log"), `${line}\n`);
    const server = launchServer(main, env, log);
    await server.ready;
    return server;
  };
  const findings: Finding[] = [];
  const all: FundedAgent[] = [];
  let server = await launch();
  try {
    for (let round = 1; round <= rounds; round += 1) {
      signal.throwIfAborted();
      const agents = await enter(url);
      all.push(...agents);
      const lowest = await restingStops(agents, findings);
      signalAll([server.pid, ...descendantsOf(server.pid)], "SIGKILL");
      await server.ended;
      await fireAtExchange(database.url() ?? "", lowest, findings);
      server = await launch();
      await expectTold(agents, findings);
      say(`Round ${round} of ${rounds}: ${agents.length} stops, ${findings.length} findings`);
      if (findings.length > 0) break;
    }
    findings.push(...describeOpen(await waitForRest(database.url, { ms: REST_MS, signal })));
    const evidence = await readSnapshot(database.url() ?? "");
    findings.push(...judge(onlyAlerts(all.flatMap(({ answered }) => answered)), evidence));
  } finally {
    server.signal("SIGTERM");
    await server.ended;
    await database.close(false);
  }
  return { rounds, stops: all.length, findings };
}

/** Opens a position with a stop for each of some new agents. */
async function enter(url: string): Promise<readonly FundedAgent[]> {
  const trader = await createTrader(url);
  await trader.takePracticeMoney("10", "10000");
  const agents: FundedAgent[] = [];
  for (let at = 1; at <= AGENTS_OF_EACH_ROUND; at += 1) {
    agents.push(await trader.createAgent(`Stopped ${at}`, { stopPercent: STOP_PERCENT }));
  }
  for (const agent of agents) await agent.fire("enter", new Date().toISOString());
  return agents;
}

async function until(ms: number, isDone: () => Promise<boolean>): Promise<boolean> {
  const endsAtMs = Date.now() + ms;
  while (!(await isDone())) {
    if (Date.now() > endsAtMs) return false;
    await sleep(LOOK_MS);
  }
  return true;
}

/** Waits until every stop rests at the exchange; returns the lowest, quote units with six decimals. */
async function restingStops(agents: readonly FundedAgent[], findings: Finding[]): Promise<bigint> {
  const levels: bigint[] = [];
  for (const agent of agents) {
    const rests = await until(RESTS_MS, async () => {
      const { plan } = await agent.position();
      const level = plan?.kept === "resting" ? parseDecimal(plan.stop?.price ?? "", 6) : null;
      if (level !== null) levels.push(level);
      return level !== null;
    });
    if (!rests) findings.push({ kind: "lost", text: `the stop of ${agent.botId} does not rest` });
  }
  return levels.reduce((lowest, level) => (level < lowest ? level : lowest), levels[0] ?? 0n);
}

/** Opens the practice chain beside the dead server, at a price below the stops, until keepers have nothing left to do. */
async function fireAtExchange(url: string, lowest: bigint, findings: Finding[]): Promise<void> {
  const pool = new Pool({ connectionString: url });
  try {
    const price = lowest - (lowest * BELOW) / 10_000n;
    const chain = await createPracticeChain({
      ledger: createPracticeLedger(pool, "practice"),
      clock: { now: () => Date.now() },
      prices: {
        label: "proof",
        quote: (_, atMs) => ({ price, confidence: 0n, publishedAtMs: atMs }),
      },
    });
    const instance = DRIFT_INSTANCES.practice;
    const keep = createKeeper(chain, instance);
    const hasOrders = { offset: OPEN_ORDERS_OFFSET + 1, bytes: Uint8Array.of(1) };
    const isFired = await until(FIRES_MS, async () => {
      await keep();
      return ((await chain.accountsOf(instance.programId, hasOrders)) ?? []).length === 0;
    });
    if (!isFired) findings.push({ kind: "open", text: "stops did not fill at the exchange" });
  } finally {
    await pool.end();
  }
}

/** Expects each agent to be flat, and its log to say that the stop closed it. */
async function expectTold(agents: readonly FundedAgent[], findings: Finding[]): Promise<void> {
  for (const agent of agents) {
    const isTold = await until(TOLD_MS, async () => {
      const [position, log] = await Promise.all([agent.position(), agent.log()]);
      const isFlat = position.available && Number(position.position) === 0;
      return isFlat && log.some(({ plan, status }) => plan === "stop" && status === "success");
    });
    if (isTold) continue;
    findings.push({ kind: "differs", text: `the stop of ${agent.botId} is not told` });
  }
}

/** Returns the one line a run ends with. */
export function summariseStops({ rounds, stops, findings }: StopsProof): string {
  const isEqual = findings.length === 0;
  return `${rounds} rounds, ${stops} stops fired while the server was dead, ${findings.length} findings${isEqual ? ", log and book equal the chain" : ""}`;
}
