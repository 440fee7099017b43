import { isIntervalInRange, isMultipleOf, parseInterval } from "../interval.ts";
import {
  type AlertCondition,
  type Comparison,
  otherBarsOf,
  MAX_BARS_BACK,
  MAX_COMPARISONS,
  MAX_SCHEDULE_BARS,
  MAX_TREND_BARS,
  type Operand,
} from "./condition.ts";
import { specOf, INDICATORS, POSITION_FIGURES, PRICE_FIELDS, valuesOf } from "./indicator-table.ts";

/** Largest magnitude of a fixed number in a comparison. */
export const MAX_NUMBER = 1e12;

const fault = (field: string, reason: string): ConditionFault => ({ field, reason });

const isWholeIn = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/**
 * Returns the first limit a condition breaks. Null when it can be evaluated on bars of the agent's interval and of the
 * assets that have candles; without the interval, whether longer bars fit it is not checked.
 */
export function checkCondition(
  condition: AlertCondition,
  intervalMinutes: number | null,
  assets: ReadonlySet<string>,
): ConditionFault | null {
  switch (condition.kind) {
    case "every-bars":
      return isWholeIn(condition.bars, 1, MAX_SCHEDULE_BARS)
        ? null
        : fault("bars", `Bars is a whole number from 1 to ${MAX_SCHEDULE_BARS}.`);
    case "time-of-day":
      return (
        checkTimeOfDay("atUtc", condition.atUtc) ??
        (condition.days === undefined ? null : checkDays("days", condition.days))
      );
    case "comparisons":
      return checkComparisons(condition, { minutes: intervalMinutes, assets });
  }
}

/** The agent's interval, null before it is chosen, and the assets that have candles. */
interface KnownBars {
  readonly minutes: number | null;
  readonly assets: ReadonlySet<string>;
}

function checkComparisons(
  { all, session }: Extract<AlertCondition, { kind: "comparisons" }>,
  known: KnownBars,
): ConditionFault | null {
  if (all.length < 1 || all.length > MAX_COMPARISONS) {
    return fault("all", `A condition has 1 to ${MAX_COMPARISONS} comparisons.`);
  }
  for (const [index, comparison] of all.entries()) {
    const wrong = checkComparison(`all.${index}`, comparison, known);
    if (wrong !== null) return wrong;
  }
  if (session === undefined) return null;
  return (
    checkDays("session.days", session.days) ??
    checkTimeOfDay("session.fromUtc", session.fromUtc) ??
    checkTimeOfDay("session.toUtc", session.toUtc)
  );
}

function checkComparison(
  path: string,
  comparison: Comparison,
  known: KnownBars,
): ConditionFault | null {
  const { left } = comparison;
  const wrong = checkOperand(`${path}.left`, left) ?? checkOn(`${path}.left`, left, known);
  if (wrong !== null) return wrong;
  if (!("right" in comparison)) {
    if (left.kind === "number")
      return fault(`${path}.left`, "A fixed number never rises or falls.");
    return isWholeIn(comparison.bars, 1, MAX_TREND_BARS)
      ? null
      : fault(`${path}.bars`, `Bars is a whole number from 1 to ${MAX_TREND_BARS}.`);
  }
  const { right } = comparison;
  return (
    checkOperand(`${path}.right`, right) ??
    checkOn(`${path}.right`, right, known) ??
    checkPair(path, left, right)
  );
}

/** Returns what is wrong with the bars an operand is read from. */
function checkOn(path: string, operand: Operand, known: KnownBars): ConditionFault | null {
  const { interval: text, asset } = otherBarsOf(operand) ?? {};
  if (asset !== undefined && !known.assets.has(asset)) {
    return fault(`${path}.on`, `There are no candles of ${asset}.`);
  }
  const { minutes } = known;
  if (text === undefined) return null;
  const longer = parseInterval(text);
  if (longer === null || !isIntervalInRange(longer)) {
    return fault(`${path}.on`, "The longer interval is between 28 minutes and 1 week.");
  }
  if (minutes === null || isMultipleOf(longer.minutes, minutes)) return null;
  return fault(
    `${path}.on`,
    `The longer interval is a multiple of the agent's, above a day in whole days: ${text} is not.`,
  );
}

function checkPair(path: string, left: Operand, right: Operand): ConditionFault | null {
  if (left.kind === "number" && right.kind === "number") {
    return fault(`${path}.right`, "Two fixed numbers compare alike on every bar.");
  }
  const [one, other] = [levelFree(left), levelFree(right)];
  const [on, against] = [otherBarsOf(left), otherBarsOf(right)];
  const hasSameBars = on?.interval === against?.interval && on?.asset === against?.asset;
  if (one === other && (one === null || hasSameBars)) return null;
  const label = one ?? other;
  return fault(`${path}.right`, `${label} can only be compared with ${label} of another bar.`);
}

/** Returns the label of an indicator whose level is comparable only with itself, null for every other operand. */
function levelFree(operand: Operand): string | null {
  if (operand.kind !== "indicator") return null;
  const { isLevelFree, label } = specOf(operand.name);
  return isLevelFree === true ? label : null;
}

function checkOperand(path: string, operand: Operand): ConditionFault | null {
  switch (operand.kind) {
    case "number":
      return Number.isFinite(operand.value) && Math.abs(operand.value) <= MAX_NUMBER
        ? null
        : fault(`${path}.value`, "The number is from -1,000,000,000,000 to 1,000,000,000,000.");
    case "position":
      return POSITION_FIGURES.includes(operand.figure)
        ? null
        : fault(`${path}.figure`, "There is no such figure of a position.");
    case "price":
      return PRICE_FIELDS.includes(operand.field)
        ? checkBarsBack(path, operand.barsBack)
        : fault(`${path}.field`, "A bar has no such price.");
    case "indicator":
      return checkIndicator(path, operand) ?? checkBarsBack(path, operand.barsBack);
  }
}

const checkBarsBack = (path: string, barsBack = 0): ConditionFault | null =>
  isWholeIn(barsBack, 0, MAX_BARS_BACK)
    ? null
    : fault(`${path}.barsBack`, `Bars back is a whole number from 0 to ${MAX_BARS_BACK}.`);

function checkIndicator(
  path: string,
  operand: Extract<Operand, { kind: "indicator" }>,
): ConditionFault | null {
  const { name, output, parameters, source } = operand;
  if (!Object.hasOwn(INDICATORS, name)) return fault(`${path}.name`, "There is no such indicator.");
  const spec = specOf(name);
  if (!spec.outputs.includes(output)) {
    return fault(`${path}.output`, `${spec.label} has no such figure.`);
  }
  if (parameters.length !== spec.parameters.length) {
    return fault(`${path}.parameters`, `${spec.label} takes ${spec.parameters.length} parameters.`);
  }
  for (const [index, { name: parameter, min, max, isWhole }] of spec.parameters.entries()) {
    const value = parameters[index] ?? Number.NaN;
    if (isWhole ? isWholeIn(value, min, max) : value >= min && value <= max) continue;
    const kind = isWhole ? "a whole number" : "a number";
    return fault(
      `${path}.parameters.${index}`,
      `${spec.label}: ${parameter} is ${kind} from ${min} to ${max}.`,
    );
  }
  const unfit = spec.fault?.(valuesOf(name, parameters)) ?? null;
  if (unfit !== null) return fault(`${path}.parameters.0`, unfit);
  if (source === undefined) return null;
  if (!spec.hasSource) return fault(`${path}.source`, `${spec.label} has a fixed source.`);
  return PRICE_FIELDS.includes(source) ? null : fault(`${path}.source`, "A bar has no such price.");
}

/** Returns what is wrong with a time of day, HH:MM. Null when nothing is. */
function checkTimeOfDay(field: string, text: string): ConditionFault | null {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)
    ? null
    : { field, reason: "The time is HH:MM in UTC, from 00:00 to 23:59." };
}

/** Returns what is wrong with a list of ISO days of the week. Null when nothing is. */
function checkDays(field: string, days: readonly number[]): ConditionFault | null {
  if (days.length === 0) return { field, reason: "At least one day of the week is needed." };
  const isListed = days.every((day) => Number.isInteger(day) && day >= 1 && day <= 7);
  return isListed && new Set(days).size === days.length
    ? null
    : { field, reason: "Days are numbers from 1, Monday, to 7, Sunday, each once." };
}

/** The first thing wrong with a condition. */
interface ConditionFault {
  /** Path inside the condition, for instance `all.0.left.parameters.1`. */
  readonly field: string;
  /** Explanation for the author of the condition, one sentence. */
  readonly reason: string;
}
