import type { AlertCondition, Comparison, Operand } from "../domain/condition/condition.ts";
import { specOf, valuesOf } from "../domain/condition/indicator-table.ts";
import { barsWithin, PARTIAL_BARS, parseInterval } from "../domain/interval.ts";

const LEAST_BARS = 200;

/** After 8 periods the bars before an EMA's first one weigh e⁻¹⁶, a ten-millionth. */
const PERIODS = 8;

const DAY_MINUTES = 1_440;

/** Returns the comparisons of a condition; schedules have none. */
export function comparisonsOf(condition: AlertCondition): readonly Comparison[] {
  return condition.kind === "comparisons" ? condition.all : [];
}

/** Returns the operands of a comparison. */
export function operandsOf(comparison: Comparison): readonly Operand[] {
  return "right" in comparison ? [comparison.left, comparison.right] : [comparison.left];
}

/** Returns the warm-up of a set of conditions in bars; see `warmUpBars`. */
export function longestWarmUp(
  conditions: readonly AlertCondition[],
  intervalMinutes: number,
): number {
  const { own, longer } = warmUps(conditions, intervalMinutes);
  const needs = [...longer].map(([minutes, bars]) => bars * barsWithin(minutes, intervalMinutes));
  return Math.max(own, ...needs);
}

/** Warm-ups by the bars they are counted in: the agent's, and longer ones by their length in minutes. */
interface WarmUps {
  readonly own: number;
  readonly longer: ReadonlyMap<number, number>;
}

export function warmUps(conditions: readonly AlertCondition[], intervalMinutes: number): WarmUps {
  let own = LEAST_BARS;
  const longer = new Map<number, number>();
  for (const comparison of conditions.flatMap(comparisonsOf)) {
    const course = "bars" in comparison ? comparison.bars : 1;
    for (const operand of operandsOf(comparison)) {
      const minutes = longerMinutesOf(operand);
      const day = Math.ceil(DAY_MINUTES / (minutes ?? intervalMinutes)) + 1;
      const need = warmUpOf(operand, day) + course;
      if (minutes === null) own = Math.max(own, need);
      else longer.set(minutes, Math.max(longer.get(minutes) ?? 0, need + PARTIAL_BARS));
    }
  }
  return { own, longer };
}

/** Returns the length of the longer bars an operand is read from, in minutes; null for the agent's own. */
export function longerMinutesOf(operand: Operand): number | null {
  return parseInterval(("on" in operand && operand.on?.interval) || "")?.minutes ?? null;
}

function warmUpOf(operand: Operand, day: number): number {
  if (operand.kind === "number" || operand.kind === "position") return 0;
  const { barsBack = 0 } = operand;
  if (operand.kind === "price") return barsBack;
  const { lookBack } = specOf(operand.name);
  if (lookBack === "session") return barsBack + day;
  return barsBack + PERIODS * lookBack(valuesOf(operand.name, operand.parameters));
}
