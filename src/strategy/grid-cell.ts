import { type Tries, measuresOf } from "./measures.ts";
import { deviationOf } from "./returns.ts";
import type { SimulationResult } from "./simulation.ts";

/** Days of a year a ratio was scaled by. */
const DAYS_PER_YEAR = 365;

/** What one variant of a grid came to. */
export interface GridCell {
  readonly values: readonly number[];
  readonly totalReturn: number;
  readonly maxDrawdown: number;
  /** A year's; null where it cannot be said. */
  readonly sharpe: number | null;
  readonly closedTrades: number;
}

/** Returns a variant's cell. */
export function gridCell(
  values: readonly number[],
  result: SimulationResult,
  quoteDecimals: number,
): GridCell {
  const { totalReturn, maxDrawdown, sharpe, closedTrades } = measuresOf(result, quoteDecimals);
  return { values, totalReturn, maxDrawdown, sharpe, closedTrades };
}

/** Returns what a grid adds to the judgement of any of its variants: how many were tried, and how far apart they lay. */
export function triesOf(cells: readonly GridCell[]): Tries {
  const daily = cells.flatMap(({ sharpe }) =>
    sharpe === null ? [] : [sharpe / Math.sqrt(DAYS_PER_YEAR)],
  );
  return { tries: Math.max(1, cells.length), variance: deviationOf(daily) ** 2 };
}
