import { tStatistic } from "./deflated-sharpe.ts";
import { withParameter } from "./grid.ts";
import { dailyReturnsOf, type Measures, measuresOf } from "./measures.ts";
import { inSampleCount, splitRun } from "./out-of-sample.ts";
import { simulate } from "./simulate.ts";
import type { SimulationInput } from "./simulation.ts";

/** Result of one variant of a grid on the in-sample bars; the grid never sees the others. */
export interface GridCell {
  readonly values: readonly number[];
  readonly totalReturn: number;
  /** Annualised; null where it is undefined. */
  readonly sharpe: number | null;
  /** T statistic of the mean return; null where it is undefined. */
  readonly tStatistic: number | null;
  readonly closedTrades: number;
  /** Return of each day, in every cell of the same days. */
  readonly returns: readonly number[];
}

/** Inputs of a grid. `fromMs` is after the warm-up of every variant, so that all run over the same bars. */
export interface GridInput {
  readonly input: SimulationInput;
  /** Parameters that a variant's values replace, in the same order. */
  readonly ids: readonly string[];
}

/** Returns the grid without the bars reserved for out-of-sample testing. */
export function inSampleGrid({ input, ids }: GridInput): GridInput {
  const { bars, fromMs } = input;
  const counted = bars.filter(({ openTimeMs }) => openTimeMs >= fromMs).length;
  const end = bars.length - counted + inSampleCount(counted);
  return { input: { ...input, bars: bars.slice(0, end) }, ids };
}

/** Runs one variant of an in-sample grid. */
export function gridCell(grid: GridInput, values: readonly number[]): GridCell {
  const result = simulate(variantOf(grid, values));
  const measures = measuresOf(result, grid.input.quoteDecimals);
  const { totalReturn, sharpe, sample, closedTrades } = measures;
  const returns = dailyReturnsOf(result, grid.input.quoteDecimals);
  return { values, totalReturn, sharpe, tStatistic: tStatistic(sample), closedTrades, returns };
}

/** Returns the index of the variant with the highest in-sample return among those that traded; null if none did. */
export function bestCell(cells: readonly GridCell[]): number | null {
  let best: number | null = null;
  for (const [at, { closedTrades, totalReturn }] of cells.entries()) {
    const record = best === null ? -Infinity : (cells[best]?.totalReturn ?? -Infinity);
    if (closedTrades > 0 && totalReturn > record) best = at;
  }
  return best;
}

/** Runs the chosen variant over all bars and returns its out-of-sample measures; null for fewer than ten bars. */
export function outOfSampleMeasures(grid: GridInput, values: readonly number[]): Measures | null {
  const result = simulate(variantOf(grid, values));
  return splitRun(result, grid.input.quoteDecimals)?.outOfSample ?? null;
}

/** Returns the input of one variant. */
export const variantOf = (
  { input, ids }: GridInput,
  values: readonly number[],
): SimulationInput => ({
  ...input,
  agent: values.reduce(
    (agent, value, at) => withParameter(agent, ids[at] ?? "", value),
    input.agent,
  ),
});
