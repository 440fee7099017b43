import type { AlertCondition, Comparison } from "../../../../domain/condition/condition.ts";
import { operandText } from "../../../../domain/condition/condition-text.ts";
import { barSpanAt } from "../../../../strategy/bar-times.ts";
import type { Bar } from "../../../../strategy/bar.ts";
import {
  createConditionEvaluator,
  type NamedCondition,
} from "../../../../strategy/evaluate-conditions.ts";
import type { ComparedFigures } from "../../../../strategy/firing.ts";
import { createScheduleClock } from "../../../../strategy/schedule.ts";

/** What a condition compares now. */
export interface NextFigures {
  readonly alertKey: string;
  /** One line for each comparison, for instance "RSI 14 48.8, fires on a cross below 30". */
  readonly lines: readonly string[];
  /** True where the condition would fire if the bar closed now. */
  readonly wouldFire: boolean;
}

/** Merges the shorter bars since `openTimeMs` into the bar that is still open; null without any. */
export function openBar(
  shorter: readonly Bar[],
  span: Pick<Bar, "openTimeMs" | "closeTimeMs" | "beside">,
): Bar | null {
  const within = shorter.filter(({ openTimeMs }) => openTimeMs >= span.openTimeMs);
  const first = within[0];
  const last = within.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    ...span,
    open: first.open,
    high: Math.max(...within.map(({ high }) => high)),
    low: Math.min(...within.map(({ low }) => low)),
    close: last.close,
    volume: within.reduce((sum, { volume }) => sum + volume, 0),
  };
}

/** Evaluates conditions on closed bars and the open one, with the code that fires alerts in production. */
export function nextFigures(
  conditions: readonly NamedCondition[],
  { closed, open }: { readonly closed: readonly Bar[]; readonly open: Bar | null },
  intervalMinutes: number,
): readonly NextFigures[] {
  const evaluator = createConditionEvaluator(conditions, intervalMinutes);
  for (const bar of closed) evaluator.next(bar);
  const fired = open === null ? [] : evaluator.next(open);
  return conditions.map(({ alertKey, condition }) => ({
    alertKey,
    lines: linesOf(condition, evaluator.compared(alertKey)),
    wouldFire: fired.some((firing) => firing.alertKey === alertKey),
  }));
}

function linesOf(condition: AlertCondition, figures: readonly ComparedFigures[]): string[] {
  if (condition.kind !== "comparisons") return [];
  const verb = condition.all.length === 1 ? "fires" : "needs";
  return condition.all.map((comparison, at) => lineOf(comparison, verb, figures[at]));
}

function lineOf(comparison: Comparison, verb: string, figures: ComparedFigures | undefined) {
  const { left } = comparison;
  const isPair = "right" in comparison;
  const isExact = left.kind === "price" || (isPair && comparison.right.kind !== "number");
  const name = operandText(left);
  const now = figures?.left ?? Number.NaN;
  // The position's figures are the server's: here its entry is not known
  const shown =
    left.kind === "position"
      ? `${name} of an open position`
      : Number.isNaN(now)
        ? `${name} not known yet`
        : `${name} ${figureText(now, isExact)}`;
  const threshold = thresholdText(comparison, figures?.right ?? Number.NaN);
  const isEvent = comparison.is !== "above" && comparison.is !== "below";
  const link = verb === "fires" && isEvent ? ("right" in comparison ? "on " : "after ") : "";
  return `${shown}, ${verb} ${link}${threshold}`;
}

const RELATIONS = {
  above: "above",
  below: "below",
  "crosses-above": "a cross above",
  "crosses-below": "a cross below",
} as const;

function thresholdText(comparison: Comparison, right: number): string {
  if (!("right" in comparison)) {
    const { bars, is } = comparison;
    const course = is === "rises-for" ? "rising" : "falling";
    return `${bars} ${course} ${bars === 1 ? "bar" : "bars"}`;
  }
  const threshold = operandText(comparison.right);
  const isKnown = comparison.right.kind !== "number" && !Number.isNaN(right);
  const figure = isKnown ? ` (${figureText(right, true)})` : "";
  return `${RELATIONS[comparison.is]} ${threshold}${figure}`;
}

/** Significant digits of a figure that is compared with another figure, or is a price. */
const EXACT_DIGITS = 6;
const ROUND_DIGITS = 3;

/** Returns a figure for reading; whole units are never rounded away. */
function figureText(figure: number, isExact: boolean): string {
  const wholeDigits = Math.trunc(Math.abs(figure)).toString().length;
  const digits = Math.max(isExact ? EXACT_DIGITS : ROUND_DIGITS, wholeDigits);
  return String(Number(figure.toPrecision(digits)));
}

/** Number of bars that a schedule is looked for in, more than its longest period. */
const MOST_BARS = 11_000;

/** Returns the close at which a schedule fires next, Unix milliseconds; null where none is in reach. */
export function nextScheduled(
  schedule: Exclude<AlertCondition, { readonly kind: "comparisons" }>,
  intervalMinutes: number,
  nowMs: number,
): number | null {
  const isDue = createScheduleClock(schedule, intervalMinutes);
  let { openTimeMs, closeTimeMs } = barSpanAt(intervalMinutes, nowMs);
  for (let bars = 0; bars < MOST_BARS; bars += 1) {
    // The bar before closed when this one opened
    if (isDue(openTimeMs, closeTimeMs, openTimeMs)) return closeTimeMs;
    ({ openTimeMs, closeTimeMs } = barSpanAt(intervalMinutes, closeTimeMs));
  }
  return null;
}
