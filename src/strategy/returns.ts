import { maxDrawdownOf, returnOver } from "../domain/measures/growth.ts";

const DAY_MS = 86_400_000;

/** Returns the relative change from each figure to the next: 0.01 is one percent. */
export function returnsOf(worths: ArrayLike<number>): number[] {
  const returns: number[] = [];
  for (let at = 1; at < worths.length; at += 1) {
    returns.push(returnOver(worths[at - 1] ?? 0, worths[at] ?? 0));
  }
  return returns;
}

/** The account over one UTC day with bars, or one bar longer than a day; values relative to the one before it. */
export interface Period {
  /** Value at its end. */
  readonly growth: number;
  readonly high: number;
  readonly low: number;
  /** Maximum drawdown within it as a share of the peak; its start counts as one. */
  readonly drawdown: number;
}

/** Returns the account's periods from its value at the start and at each bar's close. */
export function periodsOf(
  start: number,
  times: ArrayLike<number>,
  worths: ArrayLike<number>,
): Period[] {
  let from = 0;
  let before = start;
  return dayEnds(times).map((to) => {
    const day = Array.from({ length: to + 1 - from }, (_, at) => worths[from + at] ?? 0);
    const all = [before, ...day].map((worth) => (before > 0 ? worth / before : 1));
    before = day.at(-1) ?? before;
    from = to + 1;
    return {
      growth: Math.max(0, all.at(-1) ?? 1),
      high: Math.max(...all),
      low: Math.max(0, Math.min(...all)),
      drawdown: Math.min(1, maxDrawdownOf(all)),
    };
  });
}

/** Returns the account value at the start and at the end of each UTC day with bars, or of each bar longer than a day. */
export const dailyWorths = (
  start: number,
  times: ArrayLike<number>,
  worths: ArrayLike<number>,
): number[] => [start, ...dayEnds(times).map((at) => worths[at] ?? 0)];

/** Returns the index of the last bar of each UTC day. */
function dayEnds(times: ArrayLike<number>): number[] {
  const ends: number[] = [];
  for (let at = 0; at < times.length; at += 1) {
    // A bar that closes at midnight belongs to the day before
    const day = Math.ceil((times[at] ?? 0) / DAY_MS);
    const next = at + 1 < times.length ? Math.ceil((times[at + 1] ?? 0) / DAY_MS) : null;
    if (next !== day) ends.push(at);
  }
  return ends;
}

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length;

/** Returns the sample standard deviation; 0 for fewer than two values. */
export function deviationOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Returns the annual growth rate with the same total return. */
export function annualReturn(returns: readonly number[], periodsPerYear: number): number {
  if (returns.length === 0) return 0;
  const growth = returns.reduce((product, each) => product * (1 + each), 1);
  return growth <= 0 ? -1 : growth ** (periodsPerYear / returns.length) - 1;
}

/** Returns the annualised Sharpe ratio with a risk-free rate of zero; null where the returns do not vary. */
export function sharpeOf(returns: readonly number[], periodsPerYear: number): number | null {
  const deviation = deviationOf(returns);
  return isNothing(deviation, returns)
    ? null
    : (meanOf(returns) / deviation) * Math.sqrt(periodsPerYear);
}

/** Returns the annualised Sortino ratio with a target of zero; null without a loss. */
export function sortinoOf(returns: readonly number[], periodsPerYear: number): number | null {
  const squares = returns.map((each) => Math.min(0, each) ** 2);
  const downside = Math.sqrt(meanOf(squares));
  return downside === 0 ? null : (meanOf(returns) / downside) * Math.sqrt(periodsPerYear);
}

/** Returns the Calmar ratio: the annual return divided by the maximum drawdown; null without a drawdown. */
export function calmarOf(returns: readonly number[], periodsPerYear: number): number | null {
  let worth = 1;
  const worths = [1, ...returns.map((each) => (worth *= 1 + each))];
  const drawdown = maxDrawdownOf(worths);
  return drawdown === 0 ? null : annualReturn(returns, periodsPerYear) / drawdown;
}

/** Returns skewness and kurtosis: 0 and 3 for a normal distribution. */
export function shapeOf(values: readonly number[]): { skewness: number; kurtosis: number } {
  const mean = meanOf(values);
  const moment = (power: number) => meanOf(values.map((each) => (each - mean) ** power));
  const variance = moment(2);
  if (variance === 0) return { skewness: 0, kurtosis: 3 };
  return { skewness: moment(3) / variance ** 1.5, kurtosis: moment(4) / variance ** 2 };
}

/** Returns whether a deviation is only rounding error. */
const isNothing = (deviation: number, values: readonly number[]) =>
  deviation <= Math.abs(meanOf(values)) * 1e-12;
