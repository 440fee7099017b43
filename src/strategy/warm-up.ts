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
  const { own, others } = warmUps(conditions, intervalMinutes);
  const needs = [...others.values()].map(
    ({ minutes, bars }) => bars * barsWithin(minutes, intervalMinutes),
  );
  return Math.max(own, ...needs);
}

/** Warm-ups in the bars they are counted in: the agent's, and others by their key. */
interface WarmUps {
  readonly own: number;
  readonly others: ReadonlyMap<string, { readonly minutes: number; readonly bars: number }>;
}

/** Bars of another length or asset than the agent's. */
export interface ReadBars {
  /** Equal for the same bars; letters and digits. */
  readonly key: string;
  readonly minutes: number;
  /** Undefined for the agent's. */
  readonly asset: string | undefined;
}

export function warmUps(conditions: readonly AlertCondition[], intervalMinutes: number): WarmUps {
  let own = LEAST_BARS;
  const others = new Map<string, { readonly minutes: number; readonly bars: number }>();
  for (const comparison of conditions.flatMap(comparisonsOf)) {
    const course = "bars" in comparison ? comparison.bars : 1;
    for (const operand of operandsOf(comparison)) {
      const read = readBarsOf(operand, intervalMinutes);
      const minutes = read?.minutes ?? intervalMinutes;
      const need = warmUpOf(operand, Math.ceil(DAY_MINUTES / minutes) + 1) + course;
      if (read === null) own = Math.max(own, need);
      else {
        const bars = Math.max(others.get(read.key)?.bars ?? 0, need + PARTIAL_BARS);
        others.set(read.key, { minutes, bars });
      }
    }
  }
  return { own, others };
}

/** Returns the bars an operand is read from; null for the agent's own. */
export function readBarsOf(operand: Operand, intervalMinutes: number): ReadBars | null {
  if (!("on" in operand) || operand.on === undefined) return null;
  const { on } = operand;
  const { asset } = on;
  const longer = parseInterval(on.interval ?? "")?.minutes;
  return { key: `${asset ?? ""}${longer ?? ""}`, minutes: longer ?? intervalMinutes, asset };
}

/** Returns the other assets that conditions read, each once. */
export function assetsReadBy(conditions: readonly AlertCondition[]): readonly string[] {
  const operands = conditions.flatMap(comparisonsOf).flatMap(operandsOf);
  const assets = operands.flatMap((operand) => readBarsOf(operand, 0)?.asset ?? []);
  return [...new Set(assets)].toSorted();
}

function warmUpOf(operand: Operand, day: number): number {
  if (operand.kind === "number" || operand.kind === "position") return 0;
  const { barsBack = 0 } = operand;
  if (operand.kind === "price") return barsBack;
  const { lookBack } = specOf(operand.name);
  if (lookBack === "session") return barsBack + day;
  return barsBack + PERIODS * lookBack(valuesOf(operand.name, operand.parameters));
}
