import type { AlertCondition } from "../../../domain/condition/condition.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
import type { Bar } from "../../../strategy/bar.ts";
import {
  type ConditionEvaluator,
  createConditionEvaluator,
  warmUpBars,
} from "../../../strategy/evaluate-conditions.ts";
import type { ConditionFiring, PositionFacts } from "../../../strategy/firing.ts";
import { openTimeBefore } from "../../market-data/candle-history.ts";
import type { ConditionAgent } from "../../store/alerts/conditions.ts";
import type { OpenEntry } from "../../store/trade-log/open-entries.ts";

/** Evaluation of one agent as far as it went in this process. */
interface Kept {
  readonly changedAtMs: number;
  readonly source: string;
  readonly evaluator: ConditionEvaluator;
  closedAtMs: number;
}

/** An agent with bars to evaluate. */
export interface DueAgent {
  readonly agent: ConditionAgent;
  /** Bars that closed up to this are done. */
  readonly doneToMs: number;
  /** What the agent holds, where its conditions ask. */
  readonly entry: OpenEntry | null;
}

/** The evaluators of one feed's agents, kept from bar to bar. */
export interface AgentEvaluators {
  /** Returns the open time of the oldest bar that is needed to evaluate an agent, Unix milliseconds. */
  neededFromMs(due: DueAgent): number;
  /** Says whether bars of another source are in what is kept; they are forgotten. */
  forgetOtherSources(source: string): boolean;
  /** Returns what fires on the bars that are due, oldest first. */
  evaluate(due: DueAgent, source: string, bars: readonly Bar[]): readonly ConditionFiring[];
  forget(agentId: string): void;
  keepOnly(agentIds: ReadonlySet<string>): void;
}

export function createAgentEvaluators(intervalMinutes: number): AgentEvaluators {
  const kept = new Map<string, Kept>();

  const keptFor = ({ agent, doneToMs }: DueAgent): Kept | undefined => {
    const known = kept.get(agent.agentId);
    const isSame = known?.changedAtMs === agent.changedAt.getTime();
    return isSame && known.closedAtMs <= doneToMs ? known : undefined;
  };

  return {
    neededFromMs(due) {
      const known = keptFor(due);
      if (known !== undefined) return known.closedAtMs;
      const warmUp = warmUpBars(conditionsOf(due.agent), intervalMinutes);
      return openTimeBefore(intervalMinutes, due.doneToMs, warmUp);
    },
    forgetOtherSources(source) {
      const others = [...kept].filter(([, each]) => each.source !== source);
      for (const [agentId] of others) kept.delete(agentId);
      return others.length > 0;
    },
    evaluate(due, source, bars) {
      const { agent, doneToMs } = due;
      const startMs = this.neededFromMs(due);
      const state: Kept = keptFor(due) ?? {
        changedAtMs: agent.changedAt.getTime(),
        source,
        evaluator: createConditionEvaluator(conditionsOf(agent), intervalMinutes),
        closedAtMs: startMs,
      };
      kept.set(agent.agentId, state);
      const position = positionOf(due.entry, intervalMinutes);
      const fired: ConditionFiring[] = [];
      for (let at = firstAt(bars, startMs); at < bars.length; at += 1) {
        const bar = bars[at];
        if (bar === undefined) break;
        const firings = state.evaluator.next(bar, position);
        if (bar.closeTimeMs > doneToMs) fired.push(...firings);
        state.closedAtMs = bar.closeTimeMs;
      }
      return fired;
    },
    forget: (agentId) => void kept.delete(agentId),
    keepOnly(agentIds) {
      for (const agentId of kept.keys()) if (!agentIds.has(agentId)) kept.delete(agentId);
    },
  };
}

const conditionsOf = ({ alerts }: ConditionAgent) =>
  alerts.map(({ id, condition }) => ({ alertKey: id, condition }));

/** Says whether an agent's conditions ask for its position. */
export const asksForPosition = ({ alerts }: ConditionAgent): boolean =>
  alerts.some(({ condition }) => asks(condition));

const asks = (condition: AlertCondition): boolean =>
  condition.kind === "comparisons" &&
  condition.all.some(
    (comparison) =>
      comparison.left.kind === "position" ||
      ("right" in comparison && comparison.right.kind === "position"),
  );

function positionOf(entry: OpenEntry | null, intervalMinutes: number): PositionFacts | null {
  if (entry === null) return null;
  const { side, entryPrice, filledAt } = entry;
  const enteredAtMs = barSpanAt(intervalMinutes, filledAt.getTime()).closeTimeMs;
  return { side, entryPrice, enteredAtMs };
}

/** Returns the index of the first bar that opens at or after a time. */
function firstAt(bars: readonly Bar[], openTimeMs: number): number {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.openTimeMs ?? Infinity) < openTimeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
