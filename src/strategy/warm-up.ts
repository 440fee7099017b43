import type { AlertCondition, Comparison, Operand } from "../domain/condition/condition.ts";
import { specOf, valuesOf } from "../domain/condition/indicator-table.ts";

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
  const day = Math.ceil(DAY_MINUTES / intervalMinutes) + 1;
  const needs = conditions.flatMap((condition) =>
    comparisonsOf(condition).flatMap((comparison) => {
      const course = "bars" in comparison ? comparison.bars : 1;
      return operandsOf(comparison).map((operand) => warmUpOf(operand, day) + course);
    }),
  );
  return Math.max(LEAST_BARS, ...needs);
}

function warmUpOf(operand: Operand, day: number): number {
  if (operand.kind === "number" || operand.kind === "position") return 0;
  const { barsBack = 0 } = operand;
  if (operand.kind === "price") return barsBack;
  const { lookBack } = specOf(operand.name);
  if (lookBack === "session") return barsBack + day;
  return barsBack + PERIODS * lookBack(valuesOf(operand.name, operand.parameters));
}
