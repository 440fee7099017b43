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

/** Returns the summary of closed positions. */
export function tradeFigures({ won, lost, ...counts }: ClosedSums): TradeFigures {
  return {
    ...counts,
    hitRate: counts.known === 0 ? null : counts.wins / counts.known,
    averageWin: averageOf(won, counts.wins),
    averageLoss: averageOf(lost, counts.losses),
    profitFactor: lost === 0n ? null : ratioOf(won, -lost),
  };
}

const averageOf = (sum: bigint, count: number): bigint | null =>
  count === 0 ? null : mulDiv(sum, 1n, BigInt(count), "half_up");
