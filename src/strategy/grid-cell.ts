import { type Tries, measuresOf } from "./measures.ts";
import { deviationOf } from "./returns.ts";
import type { SimulationResult } from "./simulation.ts";

/** Days per year that annualised the ratio. */
const DAYS_PER_YEAR = 365;

/** Result of one variant of a grid. */
export interface GridCell {
  readonly values: readonly number[];
  readonly totalReturn: number;
  readonly maxDrawdown: number;
  /** Annualised; null where it is undefined. */
  readonly sharpe: number | null;
  readonly closedTrades: number;
}

/** Returns the grid cell of a variant. */
export function gridCell(
  values: readonly number[],
  result: SimulationResult,
  quoteDecimals: number,
): GridCell {
  const { totalReturn, maxDrawdown, sharpe, closedTrades } = measuresOf(result, quoteDecimals);
  return { values, totalReturn, maxDrawdown, sharpe, closedTrades };
}

/** Returns the number of variants and the variance of their Sharpe ratios, for judging any single variant. */
export function triesOf(cells: readonly GridCell[]): Tries {
  const daily = cells.flatMap(({ sharpe }) =>
    sharpe === null ? [] : [sharpe / Math.sqrt(DAYS_PER_YEAR)],
  );
  return { tries: Math.max(1, cells.length), variance: deviationOf(daily) ** 2 };
}
