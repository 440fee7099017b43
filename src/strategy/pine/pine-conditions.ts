import type {
  AlertCondition,
  Comparison,
  Operand,
  Session,
} from "../../domain/condition/condition.ts";
import { INDICATORS, valuesOf } from "../../domain/condition/indicator-table.ts";
import { FIRST_MONDAY_MS, WEEK_MS } from "../bar-times.ts";
import { timeOfDayMs } from "../schedule.ts";

type IndicatorOperand = Extract<Operand, { readonly kind: "indicator" }>;

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** Returns an operand's value `barsBefore` bars before the current one, as Pine. */
function figure(operand: Operand, barsBefore = 0): string {
  switch (operand.kind) {
    case "number":
      return String(operand.value);
    case "position":
      throw new RangeError("A figure of the position is not known to a chart.");
    case "price":
    case "indicator": {
      const back = (operand.barsBack ?? 0) + barsBefore;
      const name = operand.kind === "price" ? operand.field : pineVariable(operand);
      return back === 0 ? name : `${name}[${back}]`;
    }
  }
}

/** Returns a comparison as a Pine expression. */
function comparisonExpression(comparison: Comparison): string {
  const { left, is } = comparison;
  if (!("right" in comparison)) {
    return `${is === "rises-for" ? "rises" : "falls"}(${figure(left)}, ${comparison.bars})`;
  }
  const isUp = is === "above" || is === "crosses-above";
  const [high, low] = isUp ? [left, comparison.right] : [comparison.right, left];
  return is === "above" || is === "below"
    ? `above(${figure(high)}, ${figure(low)})`
    : `crosses(${figure(high)}, ${figure(low)}, ${figure(high, 1)}, ${figure(low, 1)})`;
}

const daysText = (days: readonly number[] = [1, 2, 3, 4, 5, 6, 7]): string =>
  `"${days.toSorted((a, b) => a - b).join("")}"`;

function sessionExpression({ days, fromUtc, toUtc }: Session): string {
  const from = timeOfDayMs(fromUtc);
  const span = timeOfDayMs(toUtc) - from;
  return `inSession(${from}, ${span > 0 ? span : span + DAY_MS}, ${daysText(days)})`;
}

/**
 * Returns one Pine expression per comparison that must hold.
 *
 * Each is assigned to a variable of its own: Pine skips the operands after a false `and`, and a skipped call loses its
 * history.
 */
export function conditionExpressions(
  condition: AlertCondition,
  intervalMinutes: number,
): readonly string[] {
  switch (condition.kind) {
    case "comparisons": {
      const { all, session } = condition;
      return [
        ...all.map(comparisonExpression),
        ...(session === undefined ? [] : [sessionExpression(session)]),
      ];
    }
    case "every-bars": {
      const lengthMs = intervalMinutes * MINUTE_MS;
      const anchor = lengthMs === WEEK_MS ? FIRST_MONDAY_MS : 0;
      return [`barNumber(${lengthMs}, ${anchor}) % ${condition.bars} == 0`];
    }
    case "time-of-day":
      return [`isDue(${timeOfDayMs(condition.atUtc)}, ${daysText(condition.days)})`];
  }
}

/** Returns the prefix of an indicator's variables; equal indicators share it. */
export function pineId({ name, parameters, source = "close" }: IndicatorOperand): string {
  const numbers = parameters.map((value) => String(value).replace(".", "p"));
  return [name.toLowerCase(), ...numbers, ...(source === "close" ? [] : [source])].join("_");
}

/** Returns the variable that holds an operand's value. */
export function pineVariable(operand: IndicatorOperand): string {
  const id = pineId(operand);
  return INDICATORS[operand.name].outputs.length === 1 ? id : `${id}_${operand.output}`;
}

/** Returns the lines that compute an indicator. */
export function pineDefinition(operand: IndicatorOperand): readonly string[] {
  const { name, parameters, source = "close" } = operand;
  return INDICATORS[name].pine(pineId(operand), valuesOf(name, parameters), source);
}
