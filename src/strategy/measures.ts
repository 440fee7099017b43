import { ratioOf } from "../domain/amount.ts";
import { maxDrawdownOf, returnOver } from "../domain/measures/growth.ts";
import { hitRateOf, profitFactorOf } from "../domain/measures/trade-figures.ts";
import type { SimulatedTrade, SimulationResult, TradeEnd } from "./simulation.ts";

/** Crypto trades every day of the year. */
const DAYS_PER_YEAR = 365;

const DAY_MS = 86_400_000;

/** Number of variants tried, this one included, and the variance of their t statistics. */
export interface Tries {
  readonly tries: number;
  readonly variance: number;
  /** Further variants were tried and not counted. */
  readonly isFull: boolean;
  /** Number of variants whose result on the kept-out part was shown, this one included. */
  readonly looks: number;
}

/** A single run counts as one try. */
export const ONE_TRY: Tries = { tries: 1, variance: 0, isFull: false, looks: 1 };

/**
 * Performance measures of a run. Shares: 0.1 is ten percent; ratios are annualised from daily figures, or from bars
 * where they are longer than a day, at their number per year. Null: undefined.
 */
export interface Measures {
  /** Time from the first open to the last close in days, missing bars included. */
  readonly days: number;
  readonly totalReturn: number;
  /** Return of holding the asset from the first open. */
  readonly holdingReturn: number;
  readonly annualReturn: number | null;
  readonly maxDrawdown: number;
  readonly holdingDrawdown: number;
  readonly sharpe: number | null;
  /** Sample of the Sharpe ratio, for judging it after a number of tries. */
  readonly sample: SharpeSample | null;
  readonly sortino: number | null;
  readonly calmar: number | null;
  /** Probability that the result is better than luck, adjusted for the number of tries. */
  readonly deflatedSharpe: number | null;
  /** Total gains divided by total losses; null without a loss. */
  readonly profitFactor: number | null;
  /** Share of the bars with an open position. */
  readonly exposure: number;
  readonly closedTrades: number;
  readonly hitRate: number | null;
  /** Average return per trade, relative to the money before it. */
  readonly averageReturn: number | null;
  readonly bestReturn: number | null;
  readonly worstReturn: number | null;
  /** Total costs in whole quote units. */
  readonly costs: number;
  /** Total costs as a share of the starting money. */
  readonly costShare: number;
  /** Share of the gains from the three best trades; null without a gain. */
  readonly bestThreeShare: number | null;
}

/** Returns a trade's return relative to the money before it, after all costs. */
export const tradeReturn = ({ pnl, moneyBefore }: SimulatedTrade): number =>
  moneyBefore > 0n ? Number(pnl) / Number(moneyBefore) : 0;

/** Returns the closed trades; a trade still open at the end is not counted. */
const closedTrades = (trades: readonly SimulatedTrade[]): SimulatedTrade[] =>
  trades.filter(({ exitedAtMs }) => exitedAtMs !== null);

/** What the trades that ended for one reason came to. */
export interface EndMeasure {
  readonly endedBy: TradeEnd;
  readonly trades: number;
  /** Quote base units, after all costs. */
  readonly pnl: bigint;
  /** Relative to the money before each. */
  readonly averageReturn: number;
}

/** Returns what the closed trades came to by the reason they ended for, the most frequent reason first. */
export function endMeasures(trades: readonly SimulatedTrade[]): EndMeasure[] {
  const closed = closedTrades(trades);
  return [...new Set(closed.map(({ endedBy }) => endedBy))]
    .map((endedBy) => {
      const ended = closed.filter((trade) => trade.endedBy === endedBy);
      return {
        endedBy,
        trades: ended.length,
        pnl: sumOf(ended.map(({ pnl }) => pnl)),
        averageReturn: meanOf(ended.map(tradeReturn)),
      };
    })
    .toSorted((a, b) => b.trades - a.trades);
}

/** Returns the measures with the deflated Sharpe ratio after a number of tries; null where that number is unknown. */
export function afterTries(measures: Measures, tried: Tries | null): Measures {
  const { sample } = measures;
  if (sample === null || tried === null) return { ...measures, deflatedSharpe: null };
  const tries = Math.max(1, tried.tries);
  const variance = tried.variance / sample.periods;
  return { ...measures, deflatedSharpe: deflatedSharpe({ ...sample, tries, variance }) };
}

/** Returns the account's return on each UTC day with bars, or on each bar longer than a day. */
export const dailyReturnsOf = (
  { startMoney, times, equity }: SimulationResult,
  quoteDecimals: number,
): number[] => returnsOf(dailyWorths(Number(startMoney) / 10 ** quoteDecimals, times, equity));

/** Returns all measures of a run, judged as a single try. */
export function measuresOf(result: SimulationResult, quoteDecimals: number): Measures {
  const { equity, closes, firstOpen } = result;
  const scale = 10 ** quoteDecimals;
  const start = Number(result.startMoney) / scale;
  const daily = dailyReturnsOf(result, quoteDecimals);
  const days = ((result.times.at(-1) ?? result.startMs) - result.startMs) / DAY_MS;
  const perYear = days > 0 ? (daily.length * DAYS_PER_YEAR) / days : 0;
  const sample = sharpeSample(daily);
  const last = closes.at(-1) ?? firstOpen;
  const { fees, spread, impact, funding } = result.costs;
  const costs = Number(fees + spread + impact + funding) / scale;
  const measures = {
    days,
    totalReturn: returnOver(start, Number(result.endMoney) / scale),
    holdingReturn: returnOver(firstOpen, last),
    // Annualising a few days is meaningless
    annualReturn: days >= 30 ? annualReturn(daily, perYear) : null,
    maxDrawdown: maxDrawdownOf([start, ...equity]),
    holdingDrawdown: maxDrawdownOf([firstOpen, ...closes]),
    sharpe: sharpeOf(daily, perYear),
    sample,
    sortino: sortinoOf(daily, perYear),
    calmar: days >= 30 ? calmarOf(daily, perYear) : null,
    deflatedSharpe: null,
    exposure: equity.length === 0 ? 0 : result.barsInPosition / equity.length,
    costs,
    costShare: start > 0 ? costs / start : 0,
    ...tradeMeasures(closedTrades(result.trades)),
  };
  return afterTries(measures, ONE_TRY);
}

function tradeMeasures(trades: readonly SimulatedTrade[]) {
  const returns = trades.map(tradeReturn);
  const gains = trades.map(({ pnl }) => pnl).filter((pnl) => pnl > 0n);
  const won = sumOf(gains);
  const lost = sumOf(trades.map(({ pnl }) => pnl).filter((pnl) => pnl < 0n));
  const best = gains.toSorted((a, b) => Number(b - a)).slice(0, 3);
  return {
    closedTrades: trades.length,
    hitRate: hitRateOf(gains.length, trades.length),
    profitFactor: profitFactorOf(won, lost),
    averageReturn: trades.length === 0 ? null : meanOf(returns),
    bestReturn: trades.length === 0 ? null : returns.reduce((a, b) => Math.max(a, b)),
    worstReturn: trades.length === 0 ? null : returns.reduce((a, b) => Math.min(a, b)),
    bestThreeShare: won === 0n ? null : ratioOf(sumOf(best), won),
  };
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

/** Returns the relative change from each figure to the next: 0.01 is one percent. */
function returnsOf(worths: ArrayLike<number>): number[] {
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
interface TriedResult extends SharpeSample {
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
