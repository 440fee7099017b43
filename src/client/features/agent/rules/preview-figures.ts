import type { AlertCondition } from "../../../../domain/condition/condition.ts";
import type { Bar } from "../../../../strategy/bar.ts";
import { createConditionEvaluator, warmUpBars } from "../../../../strategy/evaluate-conditions.ts";

/** Number of bars in a preview. */
export const SHOWN_BARS = 500;

/** Numbers of bars requested; coarse steps, so that a changed parameter rarely refetches. */
const ASKED_BARS = [1_000, 2_000, 5_000] as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Firings of a condition in the shown bars. */
export interface Preview {
  /** Oldest first. */
  readonly bars: readonly Bar[];
  /** Indexes into `bars`. */
  readonly firedAt: readonly number[];
  /** Number of bars before the condition can fire. */
  readonly warmUp: number;
}

const named = (condition: AlertCondition) => [{ alertKey: "", condition }];

/** Returns the number of bars to request for a condition's preview. */
export function barsToAsk(condition: AlertCondition, intervalMinutes: number): number {
  const wanted = warmUpBars(named(condition), intervalMinutes) + SHOWN_BARS;
  return ASKED_BARS.find((bars) => bars >= wanted) ?? wanted;
}

/** Returns whether the condition needs an open position, which a preview does not have. */
export function needsPosition(condition: AlertCondition): boolean {
  return (
    condition.kind === "comparisons" &&
    condition.all.some(
      (each) =>
        each.left.kind === "position" || ("right" in each && each.right.kind === "position"),
    )
  );
}

/** Evaluates a valid condition on closed bars, with the code that fires alerts in production. */
export function previewOf(
  condition: AlertCondition,
  bars: readonly Bar[],
  intervalMinutes: number,
): Preview {
  const warmUp = warmUpBars(named(condition), intervalMinutes);
  const first = Math.max(warmUp, bars.length - SHOWN_BARS);
  const evaluator = createConditionEvaluator(named(condition), intervalMinutes);
  const firedAt: number[] = [];
  for (const [index, bar] of bars.entries()) {
    if (evaluator.next(bar).length > 0 && index >= first) firedAt.push(index - first);
  }
  return { bars: bars.slice(first), firedAt, warmUp };
}

/** Returns a frequency as text, for instance "about once in 3 days". */
export function howOften(times: number, spanMs: number): string {
  const everyMs = spanMs / times;
  const counted = (count: number, unit: string) =>
    `about once in ${count} ${unit}${count === 1 ? "" : "s"}`;
  if (everyMs >= 1.5 * DAY_MS) return counted(Math.round(everyMs / DAY_MS), "day");
  const aDay = Math.round(DAY_MS / everyMs);
  return aDay <= 1 ? "about once a day" : `about ${aDay} times a day`;
}
