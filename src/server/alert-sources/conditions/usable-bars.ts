import { barSpanAt } from "../../../strategy/bar-times.ts";
import type { Bar } from "../../../strategy/bar.ts";
import type { HistoryAnswer } from "../../market-data/candle-history.ts";

/** How long a bar that is missing is waited for; after that it counts as lost and nothing ever fires on it. */
export const LOST_AFTER_MS = 10 * 60_000;

/** A missing bar this young is only late. */
const LATE_AFTER_MS = 30_000;

export interface UsableBars {
  /** Oldest first. Nothing in them is contradicted. */
  readonly bars: readonly Bar[];
  /** Close of the newest bar that is decided: evaluated or lost for good. */
  readonly decidedToMs: number;
  /** What is wrong with the source, one sentence; null when nothing is. */
  readonly trouble: string | null;
}

/**
 * Returns the bars conditions may be evaluated on, from the first that is due to the close asked for.
 *
 * They end before the first bar that may still come. A bar that is contradicted counts as missing.
 */
export function usableBars(
  { source, bars, contradictions }: HistoryAnswer,
  due: {
    readonly intervalMinutes: number;
    /** Bars that close after this are due. */
    readonly fromMs: number;
    readonly toMs: number;
    readonly nowMs: number;
  },
): UsableBars {
  const contradicted = new Map(contradictions.map((each) => [each.closedAtMs, each.text]));
  const good = bars.filter((bar) => !contradicted.has(bar.closeTimeMs));
  const closes = new Set(good.map((bar) => bar.closeTimeMs));
  let trouble: string | null = null;
  let decidedToMs = due.fromMs;
  while (decidedToMs < due.toMs) {
    const { closeTimeMs } = barSpanAt(due.intervalMinutes, decidedToMs);
    if (!closes.has(closeTimeMs)) {
      trouble = contradicted.get(closeTimeMs) ?? missingText(source, closeTimeMs, due.nowMs);
      if (due.nowMs - closeTimeMs < LOST_AFTER_MS) break;
    }
    decidedToMs = closeTimeMs;
  }
  return { bars: good.filter((bar) => bar.closeTimeMs <= decidedToMs), decidedToMs, trouble };
}

/** Null for a bar that closed only just now. */
function missingText(source: string, closeTimeMs: number, nowMs: number): string | null {
  if (nowMs - closeTimeMs < LATE_AFTER_MS) return null;
  return `${source} has no candle that closed at ${new Date(closeTimeMs).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}
