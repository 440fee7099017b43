import { normalBelow, normalQuantile } from "./normal-distribution.ts";
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
