import type { Random } from "./random.ts";
import type { SimulationResult } from "./simulation.ts";
import { normalQuantile, type SharpeSample } from "./measures.ts";

/** Confidence of intervals and track records. */
const CONFIDENCE = 0.95;

/** Blocks that a history is cut into to estimate overfitting; 252 ways of choosing half of them. */
const BLOCKS = 10;

/** Windows of a walk forward, after a first part that only chooses. */
export const WALK_WINDOWS = 4;

/** Variance of a Sharpe ratio times the number of periods less one (Mertens 2002); 0 or less where it is undefined. */
const sharpeVariance = ({ sharpe, skewness, kurtosis }: SharpeSample): number =>
  1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;

/** Returns the two-sided 95 % confidence interval of a Sharpe ratio per period; null where it is undefined. */
export function sharpeInterval(
  sample: SharpeSample,
): { readonly low: number; readonly high: number } | null {
  const variance = sharpeVariance(sample);
  if (sample.periods < 2 || variance <= 0) return null;
  const reach = normalQuantile((1 + CONFIDENCE) / 2) * Math.sqrt(variance / (sample.periods - 1));
  return { low: sample.sharpe - reach, high: sample.sharpe + reach };
}

/**
 * Returns the number of periods after which a Sharpe ratio would be above a benchmark with 95 % confidence: the minimum
 * track record length of Bailey and López de Prado (2012). Null where the ratio is not above it.
 */
export function minTrackRecord(sample: SharpeSample, benchmark = 0): number | null {
  const variance = sharpeVariance(sample);
  if (sample.sharpe <= benchmark || variance <= 0) return null;
  return 1 + variance * (normalQuantile(CONFIDENCE) / (sample.sharpe - benchmark)) ** 2;
}

/** Sums of a variant's returns in one block. */
interface BlockSums {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

/** Returns the Sharpe ratio per period over some blocks; 0 where the returns do not vary. */
function sharpeOver(
  blocks: readonly BlockSums[],
  chosen: readonly boolean[],
  isIn: boolean,
): number {
  let [count, sum, squares] = [0, 0, 0];
  for (const [at, block] of blocks.entries()) {
    if (chosen[at] !== isIn) continue;
    count += block.count;
    sum += block.sum;
    squares += block.squares;
  }
  const mean = count === 0 ? 0 : sum / count;
  const variance = count === 0 ? 0 : squares / count - mean ** 2;
  return variance <= mean ** 2 * 1e-12 ? 0 : mean / Math.sqrt(variance);
}

/** Returns every way of choosing half of `count` blocks. */
function halves(count: number): boolean[][] {
  const all: boolean[][] = [];
  const choose = (chosen: boolean[], left: number): void => {
    const rest = count - chosen.length;
    if (rest === 0) all.push(chosen);
    if (left > 0) choose([...chosen, true], left - 1);
    if (rest > left) choose([...chosen, false], left);
  };
  choose([], count / 2);
  return all;
}

/**
 * Returns the probability of backtest overfitting: how often the variant that is best in half of the blocks is below the
 * middle in the other half (combinatorially symmetric cross-validation; Bailey, Borwein, López de Prado and Zhu 2017).
 *
 * Each variant has its returns of the same periods. Null for fewer than two variants, or two periods a block.
 */
export function backtestOverfitting(
  variants: readonly (readonly number[])[],
  blockCount: number = BLOCKS,
): number | null {
  const periods = variants[0]?.length ?? 0;
  if (variants.length < 2 || periods < 2 * blockCount) return null;
  const length = Math.floor(periods / blockCount);
  const sums = variants.map((returns) =>
    Array.from({ length: blockCount }, (_, block): BlockSums => {
      const part = returns.slice(block * length, (block + 1) * length);
      return {
        count: part.length,
        sum: part.reduce((sum, each) => sum + each, 0),
        squares: part.reduce((sum, each) => sum + each ** 2, 0),
      };
    }),
  );
  const ways = halves(blockCount);
  const overfitted = ways.filter((chosen) => {
    const before = sums.map((blocks) => sharpeOver(blocks, chosen, true));
    const best = before.indexOf(Math.max(...before));
    const after = sums.map((blocks) => sharpeOver(blocks, chosen, false));
    const own = after[best] ?? 0;
    const below = after.filter((each) => each < own).length;
    const equal = after.filter((each) => each === own).length;
    // Relative rank from 0 to 1; the logit is at most 0 where it is at most one half
    return (below + (equal + 1) / 2) / (variants.length + 1) <= 0.5;
  });
  return overfitted.length / ways.length;
}

/** What choosing anew before each window would have earned. */
export interface WalkForward {
  /** Return of each window, by the variant that was best before it. */
  readonly windows: readonly number[];
  /** Return of all windows together. */
  readonly totalReturn: number;
}

const growth = (returns: readonly number[]): number =>
  returns.reduce((product, each) => product * (1 + each), 1) - 1;

/**
 * Walks forward: the history is cut into one part more than there are windows, and before each window the variant with
 * the highest return so far is chosen. Null for fewer than two variants, or two periods a part.
 */
export function walkForward(
  variants: readonly (readonly number[])[],
  windowCount: number = WALK_WINDOWS,
): WalkForward | null {
  const periods = variants[0]?.length ?? 0;
  const length = Math.floor(periods / (windowCount + 1));
  if (variants.length < 2 || length < 2) return null;
  const windows: number[] = [];
  for (let window = 1; window <= windowCount; window += 1) {
    const from = window * length;
    const to = window === windowCount ? periods : from + length;
    const grown = variants.map((returns) => growth(returns.slice(0, from)));
    const chosen = variants[grown.indexOf(Math.max(...grown))] ?? [];
    windows.push(growth(chosen.slice(from, to)));
  }
  return { windows, totalReturn: growth(windows) };
}

/** Number of random runs. */
const DRAWS = 1_000;

/** How a run compares with entries at random times. */
export interface RandomEntries {
  /** Share of the random runs that did at least as well. */
  readonly share: number;
  /** The middle random run's sum of price moves; 0.1 is ten percent. */
  readonly middle: number;
}

/** Returns the number of bars that closed at or before a time. */
function closedBy(times: Float64Array, atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Compares the times of a run's trades with random ones: as many trades, each of the same side and length, entered at
 * random bars. Only price moves count, from close to close, since the costs of both are the same. Null without a closed
 * trade.
 */
export function randomEntries(
  { trades, times, closes, firstOpen }: SimulationResult,
  random: Random,
): RandomEntries | null {
  const priceAfter = (bars: number) => (bars === 0 ? firstOpen : (closes[bars - 1] ?? 0));
  const moves = trades.flatMap(({ side, enteredAtMs, exitedAtMs }) => {
    if (exitedAtMs === null) return [];
    const from = closedBy(times, enteredAtMs);
    const bars = Math.max(1, closedBy(times, exitedAtMs) - from);
    return from + bars > times.length ? [] : [{ sign: side === "long" ? 1 : -1, from, bars }];
  });
  if (moves.length === 0) return null;
  const moveOf = (sign: number, from: number, bars: number) =>
    sign * (priceAfter(from + bars) / priceAfter(from) - 1);
  const own = moves.reduce((sum, { sign, from, bars }) => sum + moveOf(sign, from, bars), 0);
  const drawn = Array.from({ length: DRAWS }, () =>
    moves.reduce((sum, { sign, bars }) => {
      const from = Math.floor(random() * (times.length - bars + 1));
      return sum + moveOf(sign, from, bars);
    }, 0),
  ).toSorted((one, other) => one - other);
  return {
    share: drawn.filter((each) => each >= own).length / DRAWS,
    middle: drawn[DRAWS >> 1] ?? 0,
  };
}
