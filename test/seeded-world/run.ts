import type { AgentId } from "../../src/domain/ids.ts";
import type { TradingState } from "../../src/domain/trading-state.ts";
import { type FaultyChain, withFaults } from "../faults.ts";
import type { PracticeLedger } from "../../src/practice/ledger.ts";
import type { PracticeChain } from "../../src/practice/practice-chain.ts";
import { createCustody, type Custody } from "../../src/server/custody/custody.ts";
import type { Networks } from "../../src/server/networks.ts";
import { newId } from "../../src/server/crypto/new-id.ts";
import type { DeliveryResult } from "../../src/server/trading/intake/delivery.ts";
import { createTestClock, type TestClock } from "../clock.ts";
import {
  type BaseAgent,
  type BaseWorld,
  networksOn,
  openChain,
  START_PRICE,
} from "./base-world.ts";
import type { Actions, SentAlert, SignedNote } from "../judge/actions.ts";
import { type Landed, toLanded } from "../judge/chain-evidence.ts";
import type { Finding } from "../judge/judge.ts";
import { createRandom, type Random } from "../random.ts";
import { insertRules, randomRules } from "./random-rules.ts";
import type { Interruption } from "./server-gate.ts";
import { type SimServer, startServer, type Surroundings } from "./sim-server.ts";

/** One alert with every answer its sender got; a delivery without an answer is sent again. */
export interface DeliveredAlert extends SentAlert {
  readonly agentId: AgentId;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answers: DeliveryResult[];
}

/** Unfinished work of a server: paused, or waiting behind paused work. */
interface PendingWork {
  readonly server: SimServer;
  readonly what: string;
  readonly outcome: () => string | null;
}

/** The world of one seed: its chain, its servers, and everything observed from outside. */
export interface Run {
  readonly seed: number;
  readonly base: BaseWorld;
  readonly random: Random;
  readonly clock: TestClock;
  readonly chain: PracticeChain;
  readonly custody: Custody;
  /** The network as it is, without faults. */
  readonly healthy: Networks;
  /** The node of each server, which outlives its servers. */
  readonly nodes: readonly FaultyChain[];
  readonly servers: SimServer[];
  /** Makes the ids of the world's own rows. */
  readonly ids: Random;
  readonly alerts: DeliveredAlert[];
  /** Agents whose owners are deleting them. */
  readonly leaving: BaseAgent[];
  readonly deleted: Set<string>;
  readonly turnedOn: Actions["turnedOn"][number][];
  readonly woken: AgentId[];
  readonly signed: SignedNote[];
  readonly landed: Landed[];
  readonly problems: object[];
  readonly pending: PendingWork[];
  readonly market: { price: bigint; isFrozenSinceMs: number | null };
  readonly settings: { tradingState: TradingState; isVenuePaused: boolean; isThin: boolean };
  readonly counts: { steps: number; kills: number; stops: number };
  /** The planned position and what it stands on, as they were judged last. */
  readonly judged: { size: bigint; collateral: bigint };
  /** Puts a new server in the place of a killed one. */
  replace(server: SimServer): void;
}

/** A possible next step; running it returns its result for the history. */
export interface Step {
  readonly name: string;
  readonly weight: number;
  take(run: Run): Promise<string>;
}

export type Spoil = Surroundings["spoil"];

/** Notes everything that lands. */
const recording = (ledger: PracticeLedger, landed: Landed[]): PracticeLedger => ({
  ...ledger,
  transact: (run) =>
    ledger.transact((view) => {
      const decision = run(view);
      landed.push(...decision.change.records.map(toLanded));
      return decision;
    }),
});

const SERVERS = ["one", "two"] as const;

/** Opens the world of a seed on a database that is as the base left it. */
export async function openRun(base: BaseWorld, seed: number, spoil?: Spoil): Promise<Run> {
  const random = createRandom(seed);
  const ids = createRandom(seed, 1);
  const clock = createTestClock(base.startMs);
  const market: Run["market"] = { price: START_PRICE, isFrozenSinceMs: null };
  const settings: Run["settings"] = {
    tradingState: "active",
    isVenuePaused: false,
    isThin: false,
  };
  const prices = {
    label: "seeded market",
    quote: (_asset: string, atMs: number) => ({
      price: market.price,
      confidence: 10_000n,
      publishedAtMs: market.isFrozenSinceMs ?? atMs,
    }),
  };
  const landed = [...base.landed];
  const chain = await openChain(recording(await base.copyLedger(), landed), clock, prices);
  const nodes = SERVERS.map(() => withFaults(chain));
  const signed: SignedNote[] = [];
  const problems: object[] = [];
  const around: Surroundings = {
    base,
    clock,
    prices,
    spoil,
    tradingState: () => settings.tradingState,
    newId: () => newId((length) => ids.bytes(length)),
    onSigned: (note) => void signed.push({ ...note, tradingState: settings.tradingState }),
    onProblem: (detail) => void problems.push(detail),
  };
  const start = (at: number): SimServer => {
    const [name, node] = [SERVERS[at], nodes[at]];
    if (name === undefined || node === undefined) throw new Error(`There is no server ${at}`);
    return startServer(name, node, around);
  };
  const servers = SERVERS.map((_, at) => start(at));
  const rules = new Map(base.agents.map(({ id }) => [id, randomRules(random, around.newId)]));
  await insertRules(base.database.pool, rules, around.newId);
  const healthy = networksOn(chain, prices, clock);
  const custody = createCustody({
    db: base.database.db,
    networks: healthy,
    keys: base.keys,
    clock,
    random: (length) => ids.bytes(length),
    publisher: { publish() {} },
  });
  const pending: PendingWork[] = [];
  return {
    seed,
    base,
    random,
    clock,
    chain,
    custody,
    healthy,
    nodes,
    servers,
    ids,
    alerts: [],
    leaving: [],
    deleted: new Set(),
    turnedOn: [],
    woken: [],
    signed,
    landed,
    problems,
    pending,
    market,
    settings,
    counts: { steps: 0, kills: 0, stops: 0 },
    judged: { size: 0n, collateral: 0n },
    replace(server) {
      const at = servers.indexOf(server);
      for (const work of pending.filter((each) => each.server === server)) {
        pending.splice(pending.indexOf(work), 1);
      }
      servers[at] = start(at);
    },
  };
}

/** A requirement was violated. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.text);
    this.finding = finding;
  }
}

/** Chance, of 100, that something happens to a server while it works. */
const INTERRUPTED_PERCENT = 25;

/** A placed and settled order makes about this many calls. */
const LAST_CALL = 40;

export function maybeInterrupted(random: Random, lastCall = LAST_CALL): Interruption | null {
  if (!random.chance(INTERRUPTED_PERCENT)) return null;
  const kind = random.weighted([
    [2, "pause"],
    [1, "kill_before"],
    [1, "kill_after"],
  ] as const);
  return { kind, atCall: random.int(1, lastCall) };
}

/** Returns a kill or null, never a pause: waiting calls are timed out by the real clock. */
export function maybeKilled(random: Random, lastCall: number): Interruption | null {
  if (!random.chance(INTERRUPTED_PERCENT)) return null;
  const kind = random.pick(["kill_before", "kill_after"] as const);
  return { kind, atCall: random.int(1, lastCall) };
}

/**
 * Runs a server's work until it is done, paused or killed; returns the result.
 *
 * A killed server is replaced at once: its leases go on until a step ends them.
 */
export async function perform(
  run: Run,
  server: SimServer,
  what: string,
  work: () => Promise<string>,
  interruption: Interruption | null = null,
): Promise<string> {
  let outcome: string | null = null;
  server.gate.arm(interruption);
  void work().then(
    (value) => (outcome = value),
    (error: unknown) => (outcome = errorText(run, error)),
  );
  run.pending.push({ server, what, outcome: () => outcome });
  return settle(run, server);
}

/** Resumes the oldest paused work of a server. */
export async function goOn(run: Run, interruption: Interruption | null): Promise<string> {
  const server = run.servers.find(({ gate }) => gate.paused.length > 0);
  if (server === undefined) return "nothing is paused";
  server.gate.arm(interruption);
  server.gate.paused.shift()?.();
  return `goes on, ${await settle(run, server)}`;
}

/** Waits until a server is at rest; returns what of its work has ended. */
async function settle(run: Run, server: SimServer): Promise<string> {
  const { gate, name } = server;
  await gate.idle();
  gate.arm(null);
  const own = run.pending.filter((work) => work.server === server);
  const outcomes = own.map(({ what, outcome }) => `${what}: ${outcome() ?? "pending"}`);
  const left = own.filter(({ outcome }) => outcome() === null);
  for (const work of own) {
    if (!left.includes(work)) run.pending.splice(run.pending.indexOf(work), 1);
  }
  const [hanging] = left;
  if (hanging !== undefined && gate.paused.length === 0 && !gate.isKilled) {
    throw new Violation({ kind: "open", text: `${hanging.what} of server ${name} hangs` });
  }
  return `${name} ${outcomes.join(", ")}${bury(run, server)}`;
}

export function bury(run: Run, server: SimServer): string {
  if (!server.gate.isKilled) return "";
  run.counts.kills += 1;
  run.replace(server);
  return ", killed";
}

function errorText(run: Run, error: unknown): string {
  const { name, code, message } = error as { name?: string; code?: unknown; message?: string };
  if (name === "ServerKilled") return "gone";
  if (name === "ChainUnavailableError") return "no node";
  if (name === "AppError") return String(code);
  run.problems.push({ err: error });
  return `${name}: ${message}`;
}

export const anyServer = ({ random, servers }: Run): SimServer => random.pick(servers);

/** Any agent, a deleted one too: somebody may still send its alerts. */
export const anyAgent = ({ random, base }: Run): BaseAgent => random.pick(base.agents);
