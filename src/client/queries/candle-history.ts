import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getCandleHistory } from "../../contract/candle-history.ts";
import type { Network } from "../../domain/network.ts";
import { barSpanAt } from "../../strategy/bar-times.ts";
import type { Bar } from "../../strategy/bar.ts";
import { call } from "../lib/api.ts";
import { PUBLIC } from "./read.ts";

/** Closed bars that open at or after `fromMs` and close at or before `toMs`, Unix milliseconds. */
export interface HistoryOf {
  readonly network: Network;
  /** Symbol from `symbolOf`. */
  readonly symbol: string;
  readonly intervalMinutes: number;
  readonly fromMs: number;
  readonly toMs: number;
}

type HistoryPage = ResponseOf<typeof getCandleHistory>;

export interface CandleHistoryAnswer extends Pick<
  HistoryPage,
  "source" | "gaps" | "contradictions"
> {
  /** Oldest first. */
  readonly bars: readonly Bar[];
}

/** Called after each page with the time up to which history was read, Unix milliseconds. */
export type HistoryProgress = (readToMs: number) => void;

/** Fetches closed bars page by page; an abort takes effect between two pages. */
export async function fetchCandleHistory(
  of: HistoryOf,
  signal?: AbortSignal,
  onProgress?: HistoryProgress,
): Promise<CandleHistoryAnswer> {
  const bars: Bar[] = [];
  const gaps: HistoryPage["gaps"] = [];
  const contradictions: HistoryPage["contradictions"] = [];
  const { network, symbol, intervalMinutes, toMs } = of;
  for (let fromMs = of.fromMs; ;) {
    signal?.throwIfAborted();
    const query = { network, symbol, intervalMinutes, from: fromMs, to: toMs };
    const page = await call(getCandleHistory, { query });
    for (const bar of toBars(page.bars, intervalMinutes)) bars.push(bar);
    gaps.push(...page.gaps);
    contradictions.push(...page.contradictions);
    onProgress?.(page.nextFromMs ?? toMs);
    if (page.nextFromMs === null) return { source: page.source, bars, gaps, contradictions };
    fromMs = page.nextFromMs;
  }
}

const toBars = (columns: HistoryPage["bars"], intervalMinutes: number): Bar[] =>
  columns.openTimeMs.map((openTimeMs, at) => ({
    ...barSpanAt(intervalMinutes, openTimeMs),
    open: columns.open[at] ?? 0,
    high: columns.high[at] ?? 0,
    low: columns.low[at] ?? 0,
    close: columns.close[at] ?? 0,
    volume: columns.volume[at] ?? 0,
  }));

/** History of closed bars; never stale, because closed bars do not change. */
export const candleHistoryQuery = (of: HistoryOf) =>
  queryOptions({
    queryKey: [PUBLIC, getCandleHistory.path, of],
    queryFn: ({ signal }) => fetchCandleHistory(of, signal),
    staleTime: Infinity,
  });
