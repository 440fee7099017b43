import type { AlertCondition } from "../domain/condition/condition.ts";
import type { Bar } from "./bar.ts";
import { type BoundComparison, bindComparison } from "./compare.ts";
import { Figures } from "./figures.ts";
import type { ConditionFiring, PositionFacts } from "./firing.ts";
import { type BarClock, createScheduleClock, createSessionClock } from "./schedule.ts";
import { comparisonsOf, longestWarmUp } from "./warm-up.ts";

/** An alert's condition with the key that names its firings. */
export interface NamedCondition {
  /** The alert's id on the server, or its name before it has one. */
  readonly alertKey: string;
  readonly condition: AlertCondition;
}

/**
 * Returns the number of warm-up bars before firings count: 8 times the longest period, at least 200.
 *
 * Earlier bars then weigh at most e⁻¹⁶, so evaluators started on different bars agree. A session's average price needs
 * the bars of one day instead; their number depends on the interval.
 */
export function warmUpBars(conditions: readonly NamedCondition[], intervalMinutes = 1): number {
  return longestWarmUp(
    conditions.map(({ condition }) => condition),
    intervalMinutes,
  );
}

/** Takes the closed bars of one market and interval in order and returns the alerts that fire on each. */
export interface ConditionEvaluator {
  /**
   * Returns the alerts that fire at a bar's close: none during the first `warmUpBars`, and only schedules on a bar
   * after a gap.
   *
   * The bar object may be reused and overwritten between calls. `position` is the agent's position at the bar's close.
   */
  next(bar: Bar, position?: PositionFacts | null): readonly ConditionFiring[];
}

interface BoundCondition {
  readonly alertKey: string;
  readonly comparisons: readonly BoundComparison[];
  /** Null where the condition may fire at any time. */
  readonly clock: BarClock | null;
}

const NONE: readonly ConditionFiring[] = [];

/** Creates an evaluator that has seen no bar; every condition has passed `checkCondition`. */
export function createConditionEvaluator(
  conditions: readonly NamedCondition[],
  intervalMinutes: number,
): ConditionEvaluator {
  const figures = new Figures(intervalMinutes);
  const bound = conditions.map((each) => bindCondition(each, figures, intervalMinutes));
  const warmUp = warmUpBars(conditions, intervalMinutes);
  let seen = 0;
  let closeBeforeMs = 0;
  return {
    next(bar, position = null) {
      const closedBefore = closeBeforeMs;
      closeBeforeMs = bar.closeTimeMs;
      figures.next(bar, position);
      seen += 1;
      if (seen <= warmUp) return NONE;
      const follows = bar.openTimeMs === closedBefore;
      let fired: ConditionFiring[] | null = null;
      for (const condition of bound) {
        if (!follows && condition.comparisons.length > 0) continue;
        if (!holds(condition, bar, closedBefore)) continue;
        fired ??= [];
        fired.push({
          alertKey: condition.alertKey,
          closedAtMs: bar.closeTimeMs,
          price: bar.close,
          compared: condition.comparisons.map((each) => each.figures()),
        });
      }
      return fired ?? NONE;
    },
  };
}

function bindCondition(
  { alertKey, condition }: NamedCondition,
  figures: Figures,
  intervalMinutes: number,
): BoundCondition {
  const comparisons = comparisonsOf(condition).map((each) => bindComparison(each, figures));
  if (condition.kind !== "comparisons") {
    return { alertKey, comparisons, clock: createScheduleClock(condition, intervalMinutes) };
  }
  const { session } = condition;
  return {
    alertKey,
    comparisons,
    clock: session === undefined ? null : createSessionClock(session),
  };
}

function holds({ comparisons, clock }: BoundCondition, bar: Bar, closeBeforeMs: number): boolean {
  for (const comparison of comparisons) if (!comparison.holds()) return false;
  return clock === null || clock(bar.openTimeMs, bar.closeTimeMs, closeBeforeMs);
}
