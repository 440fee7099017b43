import { createHash } from "node:crypto";
import { findLateFills } from "../../src/server/trading/orders/find-late-fills.ts";
import { listIdleStops } from "../../src/server/store/lanes/auto-trade.ts";
import { listAgentsWithWork } from "../../src/server/store/orders/lanes-with-work.ts";
import { FINALITY_SLOTS, SLOT_MS } from "../../src/practice/slots.ts";
import { updateAgentLedger } from "../../src/server/ledger/update-agent-ledger.ts";
import { findCustodyAgent } from "../../src/server/store/custody/multisigs.ts";
import type { Actions } from "../judge/actions.ts";
import { parseRecords, readEvidence, readRecordsText, type Records } from "../judge/evidence.ts";
import { type Finding, judge, judgeMoment } from "../judge/judge.ts";
import type { BaseWorld } from "./base-world.ts";
import { FAULT_STEPS, heal, TIME_STEPS } from "./fault-steps.ts";
import { judgeProblems } from "./judge-problems.ts";
import { chainOf, givePlan, isActing, judgeStops } from "./judge-stops.ts";
import { goOn, openRun, perform, type Run, type Spoil, type Step, Violation } from "./run.ts";
import { OWNER_STEPS } from "./owner-steps.ts";
import {
  ACT_STEPS,
  ALERT_STEPS,
  endLeases,
  PLAN_STEPS,
  runServersLane,
  SERVER_STEPS,
} from "./steps.ts";

/** What one seed did. */
export interface SeedResult {
  readonly seed: number;
  readonly steps: number;
  /** Acknowledged alerts. */
  readonly alerts: number;
  readonly orders: number;
  readonly trades: number;
  readonly kills: number;
  /** How often a stop was judged to be of its position's size. */
  readonly stops: number;
  /** Branches of plans, exits and lanes that it went through, by name. */
  readonly reached: readonly string[];
  /** Digest of every step and of the rows after it: equal for equal runs. */
  readonly digest: string;
  /** The steps, one line each. */
  readonly history: readonly string[];
  /** What the judge found first; null when it found nothing. */
  readonly failure: (Finding & { readonly step: number }) | null;
}

const weighted = (steps: readonly Step[], times = 1) =>
  steps.map((step) => [step.weight * times, step] as const);
const WORK = [...SERVER_STEPS, ...TIME_STEPS];
const TROUBLE = [...OWNER_STEPS, ...FAULT_STEPS];
const PLAIN = weighted([...ALERT_STEPS, ...WORK, ...TROUBLE]);
const PLANNED = weighted([...PLAN_STEPS, ...WORK, ...TROUBLE]);
/** A plan acts only where an entry lives long enough, so there is more work for the trouble. */
const ACTING = [...weighted([...PLAN_STEPS, ...ACT_STEPS, ...WORK], 2), ...weighted(TROUBLE)];

/** First seed of the worlds whose first agent has a plan. */
export const FIRST_PLANNED_SEED = 1_000_101;

const isPlanned = (seed: number): boolean => seed >= FIRST_PLANNED_SEED;

/** Fewest and most steps of a world. */
const STEPS = [40, 70] as const;
const ACTING_STEPS = [80, 120] as const;

/** Maximum number of rounds until all work has ended; a round is one second, later fifteen. */
const REST_ROUNDS = 120;

/** Runs one seed on a rewound database and judges every step. */
export async function runSeed(base: BaseWorld, seed: number, spoil?: Spoil): Promise<SeedResult> {
  await base.rewindRows();
  const run = await openRun(base, seed, spoil);
  if (isPlanned(seed)) await givePlan(base, seed);
  const judgeStep = watch(run);
  const history: string[] = [];
  const hash = createHash("sha256");
  const note = (line: string): void => {
    run.counts.steps += 1;
    history.push(line);
    hash.update(`${line}\n`);
  };
  let failure: SeedResult["failure"] = null;
  try {
    const [fewest, most] = isActing(seed) ? ACTING_STEPS : STEPS;
    const steps = run.random.int(fewest, most);
    for (let at = 0; at < steps; at += 1) {
      const step = run.random.weighted(isActing(seed) ? ACTING : isPlanned(seed) ? PLANNED : PLAIN);
      const said = await step.take(run);
      note(`${step.name}: ${said}`);
      if (isPlanned(seed)) await judgeTurn(run, said);
      hash.update(await judgeStep());
    }
    for await (const line of comeToRest(run)) {
      note(line);
      hash.update(await judgeStep());
    }
    await judgeRest(run);
  } catch (error) {
    const { message, stack } = error as Error;
    const unexpected: Finding = { kind: "open", text: stack ?? message };
    const finding = error instanceof Violation ? error.finding : unexpected;
    failure = { step: run.counts.steps, ...finding };
  } finally {
    // Nothing of this world may go on in the next one
    for (const { gate } of run.servers) {
      gate.kill();
      await gate.idle();
    }
  }
  const { orders, fills } = parseRecords(await readRecordsText(base.database.pool));
  const { rows } = await base.database.pool.query<{ name: string }>(REACHED);
  const wasTaken = history.some((line) => line.includes(": taken"));
  return {
    seed,
    steps: run.counts.steps,
    alerts: run.alerts.filter(({ answers }) => answers.some((each) => "eventId" in each)).length,
    orders: orders.length,
    trades: new Set(fills.map(({ orderId }) => orderId)).size,
    kills: run.counts.kills,
    stops: run.counts.stops,
    reached: [...rows.map(({ name }) => name), ...(wasTaken ? ["old fence"] : [])],
    digest: hash.digest("hex"),
    history,
    failure,
  };
}

const REACHED = `
select plan_act as name from orders where plan_act is not null group by 1
union select 'failed exit' where exists (
  select from orders where state in ('rejected', 'expired', 'cancelled') and (intent->>'reduceOnly')::boolean)
union select 'second fill' where exists (
  select from order_fills where base_size > 0 group by order_id having count(*) > 1)
order by 1`;

/** Throws the first finding. */
function expectNone([finding]: readonly Finding[]): void {
  if (finding !== undefined) throw new Violation(finding);
}

/** What was done in a world until now. */
const actionsOf = ({ alerts, signed, deleted, turnedOn }: Run): Actions => ({
  alerts: alerts.map(({ agentId, alertName, firedAtMs, answers }) => ({
    agentId,
    alertName,
    firedAtMs,
    eventIds: answers.flatMap((each) => ("eventId" in each ? [each.eventId] : [])),
  })),
  signed,
  deleted,
  turnedOn,
});

/** Judges the planned agent's position after a turn of its lane that left nothing to do. */
async function judgeTurn(run: Run, said: string): Promise<void> {
  const [planned] = run.base.agents;
  if (planned === undefined || !said.endsWith(`lane ${planned.id.slice(0, 4)}: empty`)) return;
  expectNone(await judgeStops(run, planned.id, "faults"));
}

/** Returns a function that judges the present moment and returns the records as text. */
function watch(run: Run): () => Promise<string> {
  const { pool } = run.base.database;
  let text: string | null = null;
  let records: Records | null = null;
  let usedBefore = 0;
  return async () => {
    // Without a statement since the last step the records are the same
    if (text === null || run.base.uses() !== usedBefore) text = await readRecordsText(pool);
    usedBefore = run.base.uses();
    const before = records;
    records = parseRecords(text);
    for (const { agentId, state } of records.autoTrade) {
      const wasOff = before?.autoTrade.some(
        (each) => each.agentId === agentId && each.state === "off",
      );
      if (wasOff !== true || state !== "on") continue;
      // No step both turns an agent on and sends its alerts
      const own = records.events.filter((each) => each.agentId === agentId);
      const afterEvents = own.filter(({ outcome }) => outcome === "accepted").length;
      run.turnedOn.push({ agentId, afterEvents });
    }
    const moment = { ...records, agents: run.base.accounts, landed: run.landed };
    expectNone(judgeMoment(actionsOf(run), moment));
    return text;
  };
}

/** Books what became final and judges everything, as an observer whose node has no faults. */
async function judgeRest(run: Run): Promise<void> {
  const { base, clock, healthy, servers, deleted } = run;
  const [server] = servers;
  if (server === undefined) throw new Error("There is no server");
  const { db, pool } = base.database;
  clock.advance(Number(FINALITY_SLOTS + 1n) * SLOT_MS);
  for (const { id } of base.agents) {
    const agent = await findCustodyAgent(db, id);
    if (agent !== null) await updateAgentLedger({ ...server.book, db, networks: healthy }, agent);
    else if (!deleted.has(id)) throw new Error(`Agent ${id} is gone`);
  }
  const evidence = await readEvidence(pool, chainOf(run));
  const [planned] = isPlanned(run.seed) ? base.agents : [];
  const stops = planned === undefined ? [] : await judgeStops(run, planned.id, "rest");
  expectNone([...judge(actionsOf(run), evidence), ...judgeProblems(run), ...stops]);
}

/** Ends every fault and lets the servers work until nothing is left to do. */
async function* comeToRest(run: Run): AsyncGenerator<string> {
  await heal(run);
  while (run.servers.some(({ gate }) => gate.paused.length > 0)) yield goOn(run, null);
  yield endLeases(run);
  const { base, clock } = run;
  // A look that failed waits
  await base.database.pool.query("update plan_positions set due_at = $1", [new Date(clock.now())]);
  for (let round = 0; round < REST_ROUNDS; round += 1) {
    clock.advance(round < 30 ? 1_000 : 15_000);
    const [server] = run.servers;
    if (server === undefined) return;
    const waiting = await listAgentsWithWork(base.database.pool, clock.now());
    const stops = waiting.length > 0 ? [] : await listIdleStops(base.database.db);
    for (const { agentId } of [...waiting, ...stops].toSorted((a, b) =>
      a.agentId < b.agentId ? -1 : 1,
    )) {
      const lane = () => runServersLane(server, agentId);
      const end = await perform(run, server, `ends lane ${agentId.slice(0, 4)}`, lane);
      yield end;
      if (isPlanned(run.seed) && end.endsWith(": empty"))
        expectNone(await judgeStops(run, agentId, "rest"));
    }
    const { exits } = parseRecords(await readRecordsText(base.database.pool));
    const isResting = exits.every(({ state }) => state !== "working");
    if (waiting.length + stops.length === 0 && isResting) break;
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
