import { createHash } from "node:crypto";
import { findLateFills } from "../../src/server/trading/orders/find-late-fills.ts";
import { listIdleStops } from "../../src/server/store/lanes/auto-trade.ts";
import { listAgentsWithWork } from "../../src/server/store/orders/lanes-with-work.ts";
import { runLane } from "../../src/server/trading/lanes/lane.ts";
import { AgentModel } from "./agent-model.ts";
import type { BaseWorld } from "./base-world.ts";
import { readRows, type Rows } from "./facts.ts";
import { FAULT_STEPS, heal, TIME_STEPS } from "./fault-steps.ts";
import { AT_REST } from "./invariants-at-rest.ts";
import { ALWAYS, type Invariant, tradedBase } from "./invariants.ts";
import { goOn, openRun, perform, type Run, type Spoil, Violation } from "./run.ts";
import { OWNER_STEPS } from "./owner-steps.ts";
import { ALERT_STEPS, endLeases, LEASE_MS, SERVER_STEPS } from "./steps.ts";

/** What one seed did. */
export interface SeedResult {
  readonly seed: number;
  readonly steps: number;
  /** Acknowledged alerts. */
  readonly alerts: number;
  readonly orders: number;
  readonly trades: number;
  readonly kills: number;
  /** Digest of every step and of the rows after it: equal for equal runs. */
  readonly digest: string;
  /** The steps, one line each. */
  readonly history: readonly string[];
  /** Null when every invariant held. */
  readonly failure: {
    readonly step: number;
    readonly invariant: string;
    readonly wrong: string;
  } | null;
}

const STEPS = [...ALERT_STEPS, ...SERVER_STEPS, ...OWNER_STEPS, ...TIME_STEPS, ...FAULT_STEPS];
const WEIGHTED = STEPS.map((step) => [step.weight, step] as const);

const MIN_STEPS = 40;
const MAX_STEPS = 70;

/** Maximum number of rounds until all work has ended; a round is one second, later fifteen. */
const REST_ROUNDS = 120;

/** Runs one seed on a rewound database and checks every invariant. */
export async function runSeed(base: BaseWorld, seed: number, spoil?: Spoil): Promise<SeedResult> {
  await base.rewindRows();
  const run = await openRun(base, seed, spoil);
  const seen = watch(run);
  const history: string[] = [];
  const hash = createHash("sha256");
  const note = (line: string): void => {
    run.counts.steps += 1;
    history.push(line);
    hash.update(`${line}\n`);
  };
  let failure: SeedResult["failure"] = null;
  try {
    const steps = run.random.int(MIN_STEPS, MAX_STEPS);
    for (let at = 0; at < steps; at += 1) {
      const step = run.random.weighted(WEIGHTED);
      note(`${step.name}: ${await step.take(run)}`);
      hash.update(await seen.demand(ALWAYS));
    }
    for await (const line of comeToRest(run)) {
      note(line);
      hash.update(await seen.demand(ALWAYS));
    }
    await seen.demand(AT_REST);
  } catch (error) {
    const { message, stack } = error as Error;
    const broken =
      error instanceof Violation
        ? { invariant: error.invariant, wrong: message }
        : { invariant: "nothing unexpected is thrown", wrong: stack ?? message };
    failure = { step: run.counts.steps, ...broken };
  } finally {
    // Nothing of this world may go on in the next one
    for (const { gate } of run.servers) {
      gate.kill();
      await gate.idle();
    }
  }
  const rows = await readRows(base.database.pool);
  return {
    seed,
    steps: run.counts.steps,
    alerts: run.alerts.filter(({ answers }) => answers.some((each) => "eventId" in each)).length,
    orders: rows.orders.length,
    trades: new Set(rows.fills.map(({ order }) => order)).size,
    kills: run.counts.kills,
    digest: hash.digest("hex"),
    history,
    failure,
  };
}

/** Updates the models from the rows and checks the invariants. */
function watch(run: Run) {
  const models = new Map(
    [...run.rules].map(([agentId, rules]) => [agentId, new AgentModel(agentId, rules)]),
  );
  const traded = new Map<string, bigint>();
  let landed = 0;
  let last: Rows | null = null;
  let usedBefore = 0;
  const look = async (): Promise<Rows> => {
    // Without a statement since the last look the rows are the same
    const isSame = last !== null && run.base.uses() === usedBefore;
    const rows = isSame && last !== null ? last : await readRows(run.base.database.pool);
    last = rows;
    usedBefore = run.base.uses();
    for (const agentId of run.deleted) models.delete(agentId);
    for (const model of models.values()) model.follow(rows);
    for (const { outcome } of run.landed.slice(landed)) {
      if (outcome.error === null) traded.set(outcome.signature, tradedBase(outcome));
    }
    landed = run.landed.length;
    return rows;
  };
  return {
    async demand(invariants: readonly Invariant[]): Promise<string> {
      const rows = await look();
      for (const { name, check } of invariants) {
        const wrong = await check({ run, rows, models, traded });
        if (wrong !== null) throw new Violation(name, wrong);
      }
      return JSON.stringify(rows);
    },
  };
}

/** Ends every fault and lets the servers work until nothing is left to do. */
async function* comeToRest(run: Run): AsyncGenerator<string> {
  await heal(run);
  while (run.servers.some(({ gate }) => gate.paused.length > 0)) yield goOn(run, null);
  yield endLeases(run);
  const { base, clock } = run;
  for (let round = 0; round < REST_ROUNDS; round += 1) {
    clock.advance(round < 30 ? 1_000 : 15_000);
    const [server] = run.servers;
    if (server === undefined) return;
    const waiting = await listAgentsWithWork(base.database.pool, clock.now());
    const stops = waiting.length > 0 ? [] : await listIdleStops(base.database.db);
    for (const { agentId } of [...waiting, ...stops].toSorted((a, b) =>
      a.agentId < b.agentId ? -1 : 1,
    )) {
      const lane = () => runLane(server.deps, agentId, server.name, LEASE_MS);
      yield perform(run, server, `ends lane ${agentId.slice(0, 4)}`, lane);
    }
    const rows = await readRows(base.database.pool);
    if (waiting.length + stops.length === 0 && rows.exits.every(({ state }) => state !== "working"))
      break;
  }
  for (const server of run.servers) {
    const look = () => findLateFills(server.deps, "practice").then(() => "done");
    yield perform(run, server, "late fills", look);
    for (let looks = 0; server.sleepers.length > 0 && looks < 200; looks += 1) {
      clock.advance(1_000);
      const wake = async () => {
        for (const goes of server.sleepers.splice(0)) goes();
        return "woken";
      };
      yield perform(run, server, "settlements look", wake);
    }
  }
}
