import type { AgentId, OwnerAddress } from "../../../domain/ids.ts";
import { barSpanAt, firstFrom, type Bar } from "../../../strategy/bar-times.ts";
import {
  type ConditionEvaluator,
  createConditionEvaluator,
  warmUpBars,
} from "../../../strategy/evaluate-conditions.ts";
import { assetsReadBy, comparisonsOf, operandsOf } from "../../../strategy/warm-up.ts";
import { openTimeBefore } from "../../market-data/candle-history.ts";
import type { ConditionAgent } from "../../store/alerts/conditions.ts";
import type { OpenEntry } from "../../store/trade-log/open-entries.ts";
import type { ConditionFiring, PositionFacts } from "../../../strategy/firing.ts";

/** Evaluation state of one agent in this process. */
interface AgentEvaluation {
  readonly changedAtMs: number;
  readonly source: string;
  readonly evaluator: ConditionEvaluator;
  closedAtMs: number;
  /** Entry time of the position at the last evaluation; NaN without one. */
  enteredAtMs: number;
}

/** An agent with unevaluated bars. */
export interface DueAgent {
  readonly agent: ConditionAgent;
  /** Bars that closed up to this time were evaluated before. */
  readonly sinceMs: number;
  /**
   * Bars that closed up to this time count as done; later than `sinceMs` after a downtime too long to evaluate in full.
   */
  readonly doneToMs: number;
  /** The agent's position, when its conditions use it. */
  readonly entry: OpenEntry | null;
}

/** Evaluators of one feed's agents, kept between bars. */
export interface AgentEvaluators {
  /** Returns whether an agent is evaluated from nothing, bar by bar over its warm-up. */
  isCold(due: DueAgent): boolean;
  /** Returns the open time, in Unix milliseconds, of the oldest bar needed to evaluate an agent. */
  neededFromMs(due: DueAgent): number;
  /** Discards cached bars of other sources and returns whether there were any. */
  forgetOtherSources(source: string): boolean;
  /** Returns the firings on the due bars, oldest first. Calls `pause` after every few bars, so that others get their turn. */
  evaluate(
    due: DueAgent,
    source: string,
    bars: readonly Bar[],
    pause?: () => Promise<void>,
  ): Promise<readonly ConditionFiring[]>;
  forget(agentId: AgentId): void;
  keepOnly(agentIds: ReadonlySet<AgentId>): void;
}

/**
 * Maximum number of bars since an entry that are searched for its best price: 34 days of minutes, 5 years of hours.
 * Earlier bars of a longer hold are ignored.
 */
const MAX_HELD_BARS = 50_000;

/** Bars evaluated between two pauses: an agent's dearest conditions take about 5 ms for them. */
const BARS_PER_PAUSE = 16;

export function createAgentEvaluators(intervalMinutes: number): AgentEvaluators {
  const kept = new Map<AgentId, AgentEvaluation>();

  const keptFor = ({ agent, doneToMs, entry }: DueAgent): AgentEvaluation | undefined => {
    const known = kept.get(agent.agentId);
    const isSame = known?.changedAtMs === agent.changedAt.getTime();
    if (!isSame || known.closedAtMs > doneToMs) return undefined;
    const enteredAtMs = enteredAtOf(entry, intervalMinutes);
    // The entry became known after its first bar was evaluated: the following bars are evaluated again
    const isLate = enteredAtMs !== known.enteredAtMs && enteredAtMs <= known.closedAtMs;
    return isLate ? undefined : known;
  };

  const startOf = (due: DueAgent): number => {
    const known = keptFor(due);
    if (known !== undefined) return known.closedAtMs;
    const warmUp = warmUpBars(conditionsOf(due.agent), intervalMinutes);
    return openTimeBefore(intervalMinutes, due.doneToMs, warmUp);
  };

  return {
    isCold: (due) => keptFor(due) === undefined,
    neededFromMs(due) {
      const startMs = startOf(due);
      const { agent, doneToMs, entry } = due;
      if (keptFor(due) !== undefined || entry === null || !asksForBest(agent)) return startMs;
      const { openTimeMs } = barSpanAt(intervalMinutes, entry.filledAt.getTime());
      const furthestMs = openTimeBefore(intervalMinutes, doneToMs, MAX_HELD_BARS);
      return Math.min(startMs, Math.max(openTimeMs, furthestMs));
    },
    forgetOtherSources(source) {
      const others = [...kept].filter(([, each]) => each.source !== source);
      for (const [agentId] of others) kept.delete(agentId);
      return others.length > 0;
    },
    async evaluate(due, source, bars, pause) {
      const { agent, doneToMs, entry } = due;
      const startMs = startOf(due);
      const first = firstFrom(bars, startMs);
      const before = keptFor(due);
      const state: AgentEvaluation = before ?? {
        changedAtMs: agent.changedAt.getTime(),
        source,
        evaluator: createConditionEvaluator(conditionsOf(agent), intervalMinutes),
        closedAtMs: startMs,
        enteredAtMs: Number.NaN,
      };
      kept.set(agent.agentId, state);
      state.enteredAtMs = enteredAtOf(entry, intervalMinutes);
      const passedOver = before === undefined ? first : 0;
      const position = positionOf(entry, state.enteredAtMs, bars, passedOver);
      const fired: ConditionFiring[] = [];
      for (let at = first; at < bars.length; at += 1) {
        const bar = bars[at];
        if (bar === undefined) break;
        const firings = state.evaluator.next(bar, position);
        if (bar.closeTimeMs > doneToMs) fired.push(...firings);
        state.closedAtMs = bar.closeTimeMs;
        if ((at - first) % BARS_PER_PAUSE === BARS_PER_PAUSE - 1) await pause?.();
      }
      return fired;
    },
    forget: (agentId) => void kept.delete(agentId),
    keepOnly(agentIds) {
      for (const agentId of kept.keys()) if (!agentIds.has(agentId)) kept.delete(agentId);
    },
  };
}

/** Most agents of a feed that are evaluated from nothing in one round; the others wait for the next one. */
const COLD_AT_ONCE = 200;

/**
 * Returns the agents of a round in the order they are evaluated in: first those that go on, then those from nothing, whose
 * owners take turns. No number of new or changed agents delays the firings of those that go on by more than a round, nor
 * those of one owner another owner's.
 */
export function agentsOfRound(
  due: readonly DueAgent[],
  { isCold }: Pick<AgentEvaluators, "isCold">,
  coldAtOnce = COLD_AT_ONCE,
): readonly DueAgent[] {
  const seen = new Map<OwnerAddress, number>();
  const ranked = due.map((each) => {
    if (!isCold(each)) return { each, rank: 0 };
    const rank = (seen.get(each.agent.owner) ?? 0) + 1;
    seen.set(each.agent.owner, rank);
    return { each, rank };
  });
  const going = ranked.filter(({ rank }) => rank === 0).length;
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, going + coldAtOnce)
    .map(({ each }) => each);
}

const conditionsOf = ({ alerts }: ConditionAgent) =>
  alerts.map(({ id, condition }) => ({ alertKey: id, condition }));

/** Returns the other assets that an agent's conditions read. */
export const assetsOf = ({ alerts }: ConditionAgent): readonly string[] =>
  assetsReadBy(alerts.map(({ condition }) => condition));

/** Returns whether an agent's conditions use its position. */
export const asksForPosition = ({ alerts }: ConditionAgent): boolean =>
  operandsIn(alerts).some(({ kind }) => kind === "position");

const asksForBest = ({ alerts }: ConditionAgent): boolean =>
  operandsIn(alerts).some(
    (operand) => operand.kind === "position" && operand.figure === "drop-from-best-percent",
  );

const operandsIn = (alerts: ConditionAgent["alerts"]) =>
  alerts.flatMap(({ condition }) => comparisonsOf(condition).flatMap(operandsOf));

/**
 * Returns the close time, in Unix milliseconds, of the first bar that ended after the entry; NaN without a position.
 */
const enteredAtOf = (entry: OpenEntry | null, intervalMinutes: number): number =>
  entry === null ? Number.NaN : barSpanAt(intervalMinutes, entry.filledAt.getTime()).closeTimeMs;

/** Returns the position with its best close among the first bars, which its evaluation skips. */
function positionOf(
  entry: OpenEntry | null,
  enteredAtMs: number,
  bars: readonly Bar[],
  passedOver: number,
): PositionFacts | null {
  if (entry === null) return null;
  const { side, entryPrice } = entry;
  const better = side === "long" ? Math.max : Math.min;
  let bestCloseBefore: number | undefined;
  for (let at = passedOver - 1; at >= 0; at -= 1) {
    const bar = bars[at];
    if (bar === undefined || bar.closeTimeMs < enteredAtMs) break;
    bestCloseBefore = better(bestCloseBefore ?? bar.close, bar.close);
  }
  return { side, entryPrice, enteredAtMs, bestCloseBefore };
}
