import type { Random } from "./random.ts";

/** Number of resampled trade sequences. */
export const RESHUFFLES = 1_000;

/** Range of the middle 90 % of all samples; shares, 0.1 is ten percent. */
export interface Band {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Distribution of results over resampled trades. */
export interface ReshuffleBands {
  readonly totalReturn: Band;
  readonly maxDrawdown: Band;
  /** Share of the samples that lost money. */
  readonly lossShare: number;
}

/**
 * Resamples the trades with replacement (bootstrap) and returns the distribution of return and drawdown. Null for fewer
 * than two trades.
 *
 * A mere permutation would always end at the run's own result, so trades are drawn with replacement.
 */
export function reshuffle(
  returns: readonly number[],
  random: Random,
  draws = RESHUFFLES,
): ReshuffleBands | null {
  if (returns.length < 2) return null;
  const ends = new Float64Array(draws);
  const drawdowns = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    let worth = 1;
    let peak = 1;
    let deepest = 0;
    for (let at = 0; at < returns.length; at += 1) {
      worth = Math.max(0, worth * (1 + (returns[Math.floor(random() * returns.length)] ?? 0)));
      if (worth > peak) peak = worth;
      else deepest = Math.max(deepest, 1 - worth / peak);
    }
    ends[draw] = worth - 1;
    drawdowns[draw] = deepest;
  }
  return {
    totalReturn: bandOf(ends),
    maxDrawdown: bandOf(drawdowns),
    lossShare: ends.filter((end) => end < 0).length / draws,
  };
}

function bandOf(values: Float64Array): Band {
  const sorted = values.toSorted();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.05), middle: at(0.5), high: at(0.95) };
}
