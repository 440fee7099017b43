import { deflatedSharpeOf } from "./deflated-sharpe.ts";
import {
  annualReturn,
  calmarOf,
  dailyWorths,
  maxDrawdownOf,
  meanOf,
  returnsOf,
  sharpeOf,
  sortinoOf,
} from "./returns.ts";
import type { SimulatedTrade, SimulationResult } from "./simulation.ts";

/** Crypto trades every day of the year. */
const DAYS_PER_YEAR = 365;

/** How many variants were tried before this one was looked at, and how far their daily Sharpe ratios lay apart. */
export interface Tries {
  readonly tries: number;
  readonly variance: number;
}

/** One run is one try. */
export const ONE_TRY: Tries = { tries: 1, variance: 0 };

/** What a run came to. Shares: 0.1 is ten percent; ratios are a year's, from daily figures. Null: cannot be said. */
export interface Measures {
  readonly days: number;
  readonly totalReturn: number;
  /** What holding the asset from the first open came to. */
  readonly holdingReturn: number;
  readonly annualReturn: number | null;
  readonly maxDrawdown: number;
  readonly holdingDrawdown: number;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly calmar: number | null;
  /** Probability that it is better than luck, the number of tries counted. */
  readonly deflatedSharpe: number | null;
  /** Gains by losses; null without a loss. */
  readonly profitFactor: number | null;
  /** Share of the bars with a position. */
  readonly exposure: number;
  readonly closedTrades: number;
  readonly hitRate: number | null;
  /** Of a trade, of the money before it. */
  readonly averageReturn: number | null;
  readonly bestReturn: number | null;
  readonly worstReturn: number | null;
  /** Whole quote units. */
  readonly costs: number;
  /** Costs of the money at the start. */
  readonly costShare: number;
  /** Share of the gains that the three best trades made; null without a gain. */
  readonly bestThreeShare: number | null;
}

/** Returns what a trade earned of the money before it, every cost counted. */
export const tradeReturn = ({ pnl, moneyBefore }: SimulatedTrade): number =>
  moneyBefore > 0n ? Number(pnl) / Number(moneyBefore) : 0;

/** Trades that ended; one that is open at the end is not judged. */
export const closedTrades = (trades: readonly SimulatedTrade[]): SimulatedTrade[] =>
  trades.filter(({ exitedAtMs }) => exitedAtMs !== null);

/** Returns everything told about a run. */
export function measuresOf(
  result: SimulationResult,
  quoteDecimals: number,
  tries: Tries = ONE_TRY,
): Measures {
  const { equity, closes, firstOpen } = result;
  const scale = 10 ** quoteDecimals;
  const start = Number(result.startMoney) / scale;
  const daily = returnsOf(dailyWorths(start, result.times, equity));
  const days = daily.length;
  const last = closes.at(-1) ?? firstOpen;
  const { fees, spread, impact, funding } = result.costs;
  const costs = Number(fees + spread + impact + funding) / scale;
  return {
    days,
    totalReturn: start > 0 ? Number(result.endMoney) / scale / start - 1 : 0,
    holdingReturn: firstOpen > 0 ? last / firstOpen - 1 : 0,
    // A few days blown up to a year say nothing
    annualReturn: days >= 30 ? annualReturn(daily, DAYS_PER_YEAR) : null,
    maxDrawdown: maxDrawdownOf([start, ...equity]),
    holdingDrawdown: maxDrawdownOf([firstOpen, ...closes]),
    sharpe: sharpeOf(daily, DAYS_PER_YEAR),
    sortino: sortinoOf(daily, DAYS_PER_YEAR),
    calmar: days >= 30 ? calmarOf(daily, DAYS_PER_YEAR) : null,
    deflatedSharpe: deflatedSharpeOf(daily, tries),
    exposure: equity.length === 0 ? 0 : result.barsInPosition / equity.length,
    costs,
    costShare: start > 0 ? costs / start : 0,
    ...tradeMeasures(closedTrades(result.trades)),
  };
}

function tradeMeasures(trades: readonly SimulatedTrade[]) {
  const returns = trades.map(tradeReturn);
  const gains = trades.map(({ pnl }) => Number(pnl)).filter((pnl) => pnl > 0);
  const lost = trades.reduce((sum, { pnl }) => sum + Math.max(0, -Number(pnl)), 0);
  const won = gains.reduce((sum, each) => sum + each, 0);
  const best = gains.toSorted((a, b) => b - a).slice(0, 3);
  return {
    closedTrades: trades.length,
    hitRate: trades.length === 0 ? null : gains.length / trades.length,
    profitFactor: lost === 0 ? null : won / lost,
    averageReturn: trades.length === 0 ? null : meanOf(returns),
    bestReturn: trades.length === 0 ? null : returns.reduce((a, b) => Math.max(a, b)),
    worstReturn: trades.length === 0 ? null : returns.reduce((a, b) => Math.min(a, b)),
    bestThreeShare: won === 0 ? null : best.reduce((sum, each) => sum + each, 0) / won,
  };
}
