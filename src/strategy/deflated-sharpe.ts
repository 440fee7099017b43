import { shapeOf, sharpeOf } from "./returns.ts";

const EULER_MASCHERONI = 0.577_215_664_901_532_9;

/** Sharpe ratio per period, not per year, with what its uncertainty depends on. */
export interface SharpeSample {
  readonly sharpe: number;
  /** Number of periods the ratio was measured over. */
  readonly periods: number;
  readonly skewness: number;
  readonly kurtosis: number;
}

/** One result out of several tries. */
export interface TriedResult extends SharpeSample {
  readonly tries: number;
  /** Variance of the Sharpe ratios of all tries. */
  readonly variance: number;
}

/** Returns the expected best Sharpe ratio of `tries` strategies without skill. */
export function expectedBestSharpe(tries: number, variance: number): number {
  if (tries < 2) return 0;
  const best = normalQuantile(1 - 1 / tries);
  const beyond = normalQuantile(1 - 1 / (tries * Math.E));
  return Math.sqrt(variance) * ((1 - EULER_MASCHERONI) * best + EULER_MASCHERONI * beyond);
}

/**
 * Returns the probability that a result is better than luck after a number of tries: the deflated Sharpe ratio of
 * Bailey and López de Prado (2014). Null where the data do not suffice.
 */
export function deflatedSharpe(result: TriedResult): number | null {
  const { sharpe, periods, skewness, kurtosis, tries, variance } = result;
  if (periods < 2) return null;
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  if (spread <= 0) return null;
  const lead = sharpe - expectedBestSharpe(tries, variance);
  return normalBelow((lead * Math.sqrt(periods - 1)) / Math.sqrt(spread));
}

/** Returns the Sharpe ratio of a series of returns with its sample; null where the returns do not vary. */
export function sharpeSample(returns: readonly number[]): SharpeSample | null {
  const sharpe = sharpeOf(returns, 1);
  return sharpe === null ? null : { ...shapeOf(returns), sharpe, periods: returns.length };
}

/**
 * Returns the t statistic of the mean return: the Sharpe ratio times the square root of the number of periods. Without
 * skill its variance is about 1 whatever the length of the bars and of the history, so tries of both can be compared. Null without a sample.
 */
export const tStatistic = (sample: SharpeSample | null): number | null =>
  sample === null ? null : sample.sharpe * Math.sqrt(sample.periods);

/** Returns the cumulative standard normal distribution at a value, exact to about 1e-15. */
export function normalBelow(value: number): number {
  const half = Math.abs(value) / Math.SQRT2;
  const tail = complementaryError(half) / 2;
  return value < 0 ? tail : 1 - tail;
}

/** Returns the quantile of the standard normal distribution, by bisection. */
export function normalQuantile(share: number): number {
  let low = -40;
  let high = 40;
  for (let step = 0; step < 200 && high - low > 1e-14; step += 1) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Complementary error function: a power series near zero, a continued fraction (Lentz) further out. */
function complementaryError(x: number): number {
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 200; n += 1) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let n = 100; n > 0; n -= 1) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction));
}
