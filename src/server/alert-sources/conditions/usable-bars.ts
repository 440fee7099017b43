import { barSpanAt } from "../../../strategy/bar-times.ts";
import type { Bar } from "../../../strategy/bar.ts";
import type { HistoryAnswer } from "../../market-data/candle-history.ts";

/** Time to wait for a missing bar, in milliseconds; after that it counts as lost and no condition fires on it. */
export const LOST_AFTER_MS = 10 * 60_000;

/** A missing bar younger than this, in milliseconds, is only late. */
const LATE_AFTER_MS = 30_000;

export interface UsableBars {
  /** Oldest first, without contradicted bars. */
  readonly bars: readonly Bar[];
  /** Close time of the newest bar that was evaluated or is finally lost. */
  readonly decidedToMs: number;
  /** Fault of the source in one sentence; null when there is none. */
  readonly trouble: string | null;
}

/**
 * Returns the bars on which conditions may be evaluated, from the first due one to the requested close.
 *
 * The bars end before the first one that may still arrive. A contradicted bar counts as missing.
 */
export function usableBars(
  { source, bars, contradictions }: HistoryAnswer,
  due: {
    readonly intervalMinutes: number;
    /** Bars that close after this time are due. */
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

/** Returns the text for a missing bar; null when it closed only just now. */
function missingText(source: string, closeTimeMs: number, nowMs: number): string | null {
  if (nowMs - closeTimeMs < LATE_AFTER_MS) return null;
  return `${source} has no candle that closed at ${new Date(closeTimeMs).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}
