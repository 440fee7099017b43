import type { Performance } from "../../../../contract/performance.ts";
import { parseDecimal } from "../../../../domain/amount.ts";
import { barSpanAt } from "../../../../strategy/bar-times.ts";

const DAY_MS = 86_400_000;

/** Starting values of a simulation compared with the ledger, and the closed bars it covers. */
export interface ComparedSpan {
  readonly fromMs: number;
  /** Close of the last bar. */
  readonly nowMs: number;
  readonly days: number;
  /** Account value at the start, quote base units. */
  readonly startMoney: bigint;
}

/** Returns the shown span in whole bars; null when no bar closed in it or the starting value is unknown or zero. */
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
