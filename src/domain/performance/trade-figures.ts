import { mulDiv, ratioOf } from "../amount.ts";

/** A position from its opening to its end. */
export interface ClosedTrade {
  readonly openedAtMs: number;
  readonly closedAtMs: number;
  /** PnL with fees and funding, quote base units; null where it is unknown. */
  readonly pnl: bigint | null;
}

/** Summary figures of a list of closed trades. A figure is null where no trade provides it. */
export interface TradeFigures {
  readonly known: number;
  /** Trades with an unknown result; no other figure includes them. */
  readonly unknown: number;
  readonly wins: number;
  readonly losses: number;
  /** Share of the known trades with a profit, 0 to 1. */
  readonly hitRate: number | null;
  readonly averageWin: bigint | null;
  /** Negative, quote base units. */
  readonly averageLoss: bigint | null;
  /** Total profit divided by total loss; null without a losing trade. */
  readonly profitFactor: number | null;
  readonly longestLosingRun: number;
}

/**
 * Returns the summary of closed trades, oldest first. A trade with a PnL of exactly zero is neither won nor lost and
 * ends a losing streak.
 */
export function tradeFigures(trades: readonly ClosedTrade[]): TradeFigures {
  const results = trades.flatMap(({ pnl }) => (pnl === null ? [] : [pnl]));
  const wins = results.filter((pnl) => pnl > 0n);
  const losses = results.filter((pnl) => pnl < 0n);
  const [won, lost] = [sumOf(wins), -sumOf(losses)];
  return {
    known: results.length,
    unknown: trades.length - results.length,
    wins: wins.length,
    losses: losses.length,
    hitRate: results.length === 0 ? null : wins.length / results.length,
    averageWin: averageOf(wins),
    averageLoss: averageOf(losses),
    profitFactor: lost === 0n ? null : ratioOf(won, lost),
    longestLosingRun: longestLosingRun(results),
  };
}

/**
 * Returns the share of a span during which a position was open, 0 to 1; null for an empty span. Positions may overlap.
 */
export function exposureOf(
  open: readonly { readonly fromMs: number; readonly toMs: number }[],
  span: { readonly fromMs: number; readonly toMs: number },
): number | null {
  if (span.toMs <= span.fromMs) return null;
  let [covered, reached] = [0, span.fromMs];
  for (const { fromMs, toMs } of open.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const from = Math.max(fromMs, reached);
    const to = Math.min(toMs, span.toMs);
    if (to <= from) continue;
    covered += to - from;
    reached = to;
  }
  return covered / (span.toMs - span.fromMs);
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

const averageOf = (amounts: readonly bigint[]): bigint | null =>
  amounts.length === 0 ? null : mulDiv(sumOf(amounts), 1n, BigInt(amounts.length), "half_up");

function longestLosingRun(results: readonly bigint[]): number {
  let [longest, run] = [0, 0];
  for (const pnl of results) {
    run = pnl < 0n ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
