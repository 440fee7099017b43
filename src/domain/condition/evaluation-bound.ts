import { barsWithin, MIN_INTERVAL_MINUTES, PARTIAL_BARS, parseInterval } from "../interval.ts";
import { type AlertCondition, otherBarsOf, type Operand } from "./condition.ts";
import { specOf } from "./indicator-table.ts";

/**
 * Largest number of bars times comparisons that an agent's conditions may need when a server evaluates them from
 * nothing; about 0.2 s of one core.
 */
export const MAX_EVALUATION = 250_000;

/**
 * Most bars of the agent's interval that a condition on longer bars may warm up on. Intervals that no quarter of an hour
 * divides are built from minutes, so a server reads many more candles for them.
 */
const mostBars = (intervalMinutes: number): number => (intervalMinutes % 15 === 0 ? 40_000 : 8_000);

/** Bars that every condition warms up on, and for each bar of an indicator's periods. */
const LEAST_BARS = 200;
const BARS_PER_PERIOD = 8;

/** Bars of a session's average at the shortest interval, 28 minutes: those of a day and one more. */
const SESSION_BARS = Math.ceil(1_440 / MIN_INTERVAL_MINUTES) + 1;

/** What an agent's conditions cost a server that evaluates them from nothing. */
export interface EvaluationCost {
  readonly comparisons: number;
  /** An upper estimate of the bars that the longest of them needs. */
  readonly bars: number;
}

/** Returns the cost of all conditions of an agent together: each comparison is evaluated on every bar. */
export function evaluationCost(
  conditions: readonly AlertCondition[],
  intervalMinutes: number,
): EvaluationCost {
  const comparisons = conditions.flatMap((each) => (each.kind === "comparisons" ? each.all : []));
  const bars = comparisons.map((comparison) =>
    "right" in comparison
      ? Math.max(
          barsOf(comparison.left, 1, intervalMinutes),
          barsOf(comparison.right, 1, intervalMinutes),
        )
      : barsOf(comparison.left, comparison.bars, intervalMinutes),
  );
  return { comparisons: comparisons.length, bars: Math.max(LEAST_BARS, ...bars) };
}

/** Returns the bars of the agent's interval that an operand needs; `course` are those compared after its warm-up. */
function barsOf(operand: Operand, course: number, intervalMinutes: number): number {
  const own = course + warmUpOf(operand);
  const on = otherBarsOf(operand);
  if (on === undefined) return own;
  const minutes = parseInterval(on.interval ?? "")?.minutes ?? intervalMinutes;
  return (own + PARTIAL_BARS) * barsWithin(minutes, intervalMinutes);
}

function warmUpOf(operand: Operand): number {
  if (operand.kind === "number" || operand.kind === "position") return 0;
  const { barsBack = 0 } = operand;
  if (operand.kind === "price") return barsBack;
  const { lookBack, smoothing = 1 } = specOf(operand.name);
  if (lookBack === "session") return barsBack + SESSION_BARS;
  const periods = operand.parameters.reduce((sum, each) => sum + Math.ceil(each), 1);
  return barsBack + BARS_PER_PERIOD * periods * smoothing;
}

/** Returns why an agent's conditions together cost too much, one sentence; null within the bound. */
export function evaluationFault(
  conditions: readonly AlertCondition[],
  intervalMinutes: number,
): string | null {
  const { comparisons, bars } = evaluationCost(conditions, intervalMinutes);
  const shown = (count: number) => count.toLocaleString("en-US");
  const longest = mostBars(intervalMinutes);
  if (bars > longest && conditions.some(readsLonger)) {
    return `The longest comparison needs ${shown(bars)} bars of the agent's interval: at most ${shown(longest)}. Use a shorter period, or an interval nearer to the agent's.`;
  }
  if (comparisons * bars <= MAX_EVALUATION) return null;
  const most = Math.floor(MAX_EVALUATION / bars);
  return `All alerts together have ${shown(comparisons)} comparisons, and the longest needs ${shown(bars)} bars: with it at most ${shown(most)}. Use fewer comparisons or shorter periods.`;
}

const readsLonger = (condition: AlertCondition): boolean =>
  condition.kind === "comparisons" &&
  condition.all.some(
    (each) =>
      otherBarsOf(each.left)?.interval !== undefined ||
      ("right" in each && otherBarsOf(each.right)?.interval !== undefined),
  );
