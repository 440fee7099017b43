import { baseOf } from "./base-minutes.ts";
import { barSpanAt } from "../../strategy/bar-times.ts";
import type { Bar } from "../../strategy/bar.ts";

/** Closed bars that open at or after `fromMs` and close at or before `toMs`, Unix milliseconds. */
export interface HistoryQuery {
  /** Upper case pair, for instance SOLUSDT. */
  readonly symbol: string;
  /** 1 minute to one week. */
  readonly intervalMinutes: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A time without bars between bars, Unix milliseconds. */
export interface HistoryGap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Two figures for one time that cannot both be right. */
export interface Contradiction {
  readonly closedAtMs: number;
  /** Names both sides, one sentence. */
  readonly text: string;
}

export interface HistoryAnswer {
  readonly source: string;
  /** Oldest first; none that is open still, and none that lacks a part of its time. */
  readonly bars: readonly Bar[];
  readonly gaps: readonly HistoryGap[];
  readonly contradictions: readonly Contradiction[];
}

/** The closed bars of a deployment's markets. Throws `CandleSourceError` when they cannot be had. */
export interface CandleHistory {
  bars(query: HistoryQuery): Promise<HistoryAnswer>;
}

/** Returns the close of the newest bar that ended at or before a time, Unix milliseconds. */
export const lastCloseAt = (intervalMinutes: number, timeMs: number): number =>
  barSpanAt(intervalMinutes, timeMs).openTimeMs;

/** Returns the open time of the bar that lies so many bars before the one a time lies in. */
export function openTimeBefore(intervalMinutes: number, timeMs: number, bars: number): number {
  let openTimeMs = barSpanAt(intervalMinutes, timeMs).openTimeMs;
  for (let back = 0; back < bars; back += 1) {
    openTimeMs = barSpanAt(intervalMinutes, openTimeMs - 1).openTimeMs;
  }
  return openTimeMs;
}

/** Most bars of exchanges that one page is made of. */
const MAX_PAGE_PARTS = 200_000;

/** Returns how many bars of an interval one page may have, of those a caller may ask for. */
export function pageBars(intervalMinutes: number, most: number): number {
  const partMinutes = baseOf(intervalMinutes);
  return Math.min(most, Math.ceil((MAX_PAGE_PARTS * partMinutes) / intervalMinutes));
}

/** Returns a query's first `most` bars as a query, and where the rest begins; null when there is no rest. */
export function firstPage(
  query: HistoryQuery,
  most: number,
): { readonly page: HistoryQuery; readonly nextFromMs: number | null } {
  const { intervalMinutes, fromMs, toMs } = query;
  let openTimeMs = firstOpenAt(intervalMinutes, fromMs);
  for (let bars = 0; bars < most; bars += 1) {
    const { closeTimeMs } = barSpanAt(intervalMinutes, openTimeMs);
    if (closeTimeMs > toMs) return { page: query, nextFromMs: null };
    openTimeMs = closeTimeMs;
  }
  const hasMore = barSpanAt(intervalMinutes, openTimeMs).closeTimeMs <= toMs;
  return { page: { ...query, toMs: openTimeMs }, nextFromMs: hasMore ? openTimeMs : null };
}

/** Returns when the first bar that opens at or after a time opens, Unix milliseconds. */
export function firstOpenAt(intervalMinutes: number, timeMs: number): number {
  const { openTimeMs, closeTimeMs } = barSpanAt(intervalMinutes, timeMs);
  return openTimeMs === timeMs ? timeMs : closeTimeMs;
}
