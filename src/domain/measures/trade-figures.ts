import { mulDiv, ratioOf } from "../amount.ts";

/** Sums over closed positions; amounts with fees and funding in quote base units. */
export interface ClosedSums {
  readonly known: number;
  /** Positions with an unknown result; nothing else includes them. */
  readonly unknown: number;
  /** A result of exactly zero is neither won nor lost and ends a losing streak. */
  readonly wins: number;
  readonly losses: number;
  readonly won: bigint;
  /** Negative. */
  readonly lost: bigint;
  readonly longestLosingRun: number;
}

/** Summary figures of closed positions. A figure is null where none provides it. */
export interface TradeFigures extends Omit<ClosedSums, "won" | "lost"> {
  /** Share of the known positions with a profit, 0 to 1. */
  readonly hitRate: number | null;
  readonly averageWin: bigint | null;
  /** Negative, quote base units. */
  readonly averageLoss: bigint | null;
  /** Total profit divided by total loss; null without a losing position. */
  readonly profitFactor: number | null;
}

/** Returns the share of trades with a profit, 0 to 1; null without a trade. */
export const hitRateOf = (wins: number, trades: number): number | null =>
  trades === 0 ? null : wins / trades;

/** Returns total profit divided by total loss, which is negative; null without a loss. */
export const profitFactorOf = (won: bigint, lost: bigint): number | null =>
  lost === 0n ? null : ratioOf(won, -lost);

/** Returns the summary of closed positions. */
export function tradeFigures({ won, lost, ...counts }: ClosedSums): TradeFigures {
  return {
    ...counts,
    hitRate: hitRateOf(counts.wins, counts.known),
    averageWin: averageOf(won, counts.wins),
    averageLoss: averageOf(lost, counts.losses),
    profitFactor: profitFactorOf(won, lost),
  };
}

const averageOf = (sum: bigint, count: number): bigint | null =>
  count === 0 ? null : mulDiv(sum, 1n, BigInt(count), "half_up");
