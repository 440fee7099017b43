import { parseDecimal } from "../../../domain/amount.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
import type { Performance } from "../../queries/performance.ts";

const DAY_MS = 86_400_000;

/** What a simulation beside the book begins with, and the closed bars it runs over. */
export interface ComparedSpan {
  readonly fromMs: number;
  /** Close of the last bar. */
  readonly nowMs: number;
  readonly days: number;
  /** The account's worth then, quote base units. */
  readonly startMoney: bigint;
}

/** Returns the span of the curve that is shown, in whole bars; null while no bar closed in it or nothing was there. */
export function comparedSpan(
  { curve, to, quote }: Pick<Performance, "curve" | "to" | "quote">,
  intervalMinutes: number,
): ComparedSpan | null {
  const first = curve[0];
  const startMoney = first?.value == null ? null : parseDecimal(first.value, quote.decimals);
  if (first === undefined || startMoney === null || startMoney <= 0n) return null;
  const fromMs = barSpanAt(intervalMinutes, first.time * 1_000).openTimeMs;
  const nowMs = barSpanAt(intervalMinutes, Date.parse(to)).openTimeMs;
  return nowMs <= fromMs ? null : { fromMs, nowMs, days: (nowMs - fromMs) / DAY_MS, startMoney };
}
