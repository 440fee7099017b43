import type { Random } from "./random.ts";
import { type Period, periodsOf } from "./returns.ts";

/** Number of resampled courses. */
export const RESHUFFLES = 1_000;

/** Fewest days, or longer bars, to resample. */
const LEAST_PERIODS = 10;

/** Range of the middle 90 % of all samples; shares, 0.1 is ten percent. */
export interface Band {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Distribution of results over resampled courses of the account. */
export interface ReshuffleBands {
  readonly totalReturn: Band;
  readonly maxDrawdown: Band;
  /** Share of the samples that lost money. */
  readonly lossShare: number;
}

/** The account over a run: its value at the start and at each bar's close. Times in Unix milliseconds. */
export interface Course {
  readonly start: number;
  readonly times: ArrayLike<number>;
  readonly worths: ArrayLike<number>;
}

/**
 * Resamples blocks of the account's days with replacement (circular block bootstrap) and returns the distribution of
 * return and drawdown that another run like it would have. Null for fewer than ten days.
 *
 * Each course is drawn from days that were drawn themselves: the run is one draw as well, and the strategy's mean is as
 * uncertain as its result.
 *
 * Whole days, not trades: the account also falls while a position is open. Days are drawn in blocks of the cube root of
 * their number (Hall, Horowitz and Jing, 1995), since a position lasts for several of them. Within a day every bar
 * counts, so that drawdowns compare with the run's own.
 */
export function reshuffle(
  { start, times, worths }: Course,
  random: Random,
  draws = RESHUFFLES,
): ReshuffleBands | null {
  const periods = periodsOf(start, times, worths);
  if (periods.length < LEAST_PERIODS) return null;
  const ends = new Float64Array(draws);
  const drawdowns = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    const { end, drawdown } = follow(drawBlocks(drawBlocks(periods, random), random));
    ends[draw] = end - 1;
    drawdowns[draw] = drawdown;
  }
  return {
    totalReturn: bandOf(ends),
    maxDrawdown: bandOf(drawdowns),
    lossShare: ends.filter((end) => end < 0).length / draws,
  };
}

/** Draws as many periods as there are, in blocks that go on at the first one after the last. */
function drawBlocks(periods: readonly Period[], random: Random): Period[] {
  const count = periods.length;
  const block = Math.ceil(Math.cbrt(count));
  let at = 0;
  return periods.map((_, drawn) => {
    at = drawn % block === 0 ? Math.floor(random() * count) : (at + 1) % count;
    return periods[at] as Period;
  });
}

/** Returns where a course ends that starts at 1, and its maximum drawdown. */
function follow(periods: readonly Period[]): { readonly end: number; readonly drawdown: number } {
  let worth = 1;
  let peak = 1;
  let drawdown = 0;
  for (const { growth, high, low, drawdown: within } of periods) {
    drawdown = Math.max(drawdown, within, 1 - (worth * low) / peak);
    peak = Math.max(peak, worth * high);
    worth *= growth;
  }
  return { end: worth, drawdown };
}

function bandOf(values: Float64Array): Band {
  const sorted = values.toSorted();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.05), middle: at(0.5), high: at(0.95) };
}
