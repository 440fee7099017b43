import { ratioOf } from "../domain/amount.ts";
import { maxDrawdownOf, returnOver } from "../domain/measures/growth.ts";
import { hitRateOf, profitFactorOf } from "../domain/measures/trade-figures.ts";
import { deflatedSharpe, sharpeSample, type SharpeSample } from "./deflated-sharpe.ts";
import {
  annualReturn,
  calmarOf,
  dailyWorths,
  meanOf,
  returnsOf,
  sharpeOf,
  sortinoOf,
} from "./returns.ts";
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
