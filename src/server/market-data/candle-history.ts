import { barSpanAt, withBeside, type Bar } from "../../strategy/bar-times.ts";
import { symbolOf } from "../../venues/profiles.ts";
import type { CandleInterval, CandleFigures } from "../../domain/candle-interval.ts";

/** Closed bars that open at or after `fromMs` and close at or before `toMs`, Unix milliseconds. */
export interface HistoryQuery {
  /** Upper case pair, for instance SOLUSDT. */
  readonly symbol: string;
  /** 1 minute to one week. */
  readonly intervalMinutes: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A gap between bars, in Unix milliseconds. */
export interface HistoryGap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Two contradicting figures for one time. */
export interface Contradiction {
  readonly closedAtMs: number;
  /** One sentence that names both sources. */
  readonly text: string;
}

export interface HistoryAnswer {
  readonly source: string;
  /** Oldest first; only closed and complete bars. */
  readonly bars: readonly Bar[];
  readonly gaps: readonly HistoryGap[];
  readonly contradictions: readonly Contradiction[];
}

/** Closed bars of a deployment's markets. Throws `CandleSourceError` when they are unavailable. */
export interface CandleHistory {
  bars(query: HistoryQuery): Promise<HistoryAnswer>;
}

/** Bars with those of other assets beside them, from however many sources. */
export interface BesideAnswer extends HistoryAnswer {
  /** Why the bars of an asset are not there, by the asset. */
  readonly missing: ReadonlyMap<string, CandleSourceError>;
}

/**
 * Reads bars with those of other assets beside them. A contradicted bar beside is left out; an asset whose source does
 * not answer is missing as a whole.
 */
export async function readBeside(
  history: CandleHistory,
  query: HistoryQuery,
  assets: readonly string[],
): Promise<BesideAnswer> {
  const { openTimeMs: fromMs } = barSpanAt(query.intervalMinutes, query.fromMs - 1);
  const missing = new Map<string, CandleSourceError>();
  const [answer, ...read] = await Promise.all([
    history.bars(query),
    ...assets.map(async (asset) => {
      try {
        const theirs = await history.bars({ ...query, symbol: symbolOf(asset), fromMs });
        return { asset, ...theirs };
      } catch (error) {
        if (!(error instanceof CandleSourceError)) throw error;
        missing.set(asset, error);
        return null;
      }
    }),
  ]);
  const others = read.filter((each) => each !== null);
  const beside = others.map(({ asset, bars, contradictions }) => {
    const wrong = new Set(contradictions.map(({ closedAtMs }) => closedAtMs));
    return [asset, bars.filter((bar) => !wrong.has(bar.closeTimeMs))] as const;
  });
  return {
    ...answer,
    source: [...new Set([answer.source, ...others.map(({ source }) => source)])].join(", "),
    bars: withBeside(answer.bars, new Map(beside)),
    missing,
  };
}

/** Returns the close time of the newest bar that ended at or before a time, in Unix milliseconds. */
export const lastCloseAt = (intervalMinutes: number, timeMs: number): number =>
  barSpanAt(intervalMinutes, timeMs).openTimeMs;

/** Returns the open time of the bar a number of bars before the one that contains a time. */
export function openTimeBefore(intervalMinutes: number, timeMs: number, bars: number): number {
  let openTimeMs = barSpanAt(intervalMinutes, timeMs).openTimeMs;
  for (let back = 0; back < bars; back += 1) {
    openTimeMs = barSpanAt(intervalMinutes, openTimeMs - 1).openTimeMs;
  }
  return openTimeMs;
}

/** Maximum number of exchange bars that one page is built from. */
const MAX_PAGE_PARTS = 200_000;

/** Returns the maximum number of bars of an interval per page, bounded by the caller's own limit. */
export function pageBars(intervalMinutes: number, most: number): number {
  const partMinutes = baseOf(intervalMinutes);
  return Math.min(most, Math.ceil((MAX_PAGE_PARTS * partMinutes) / intervalMinutes));
}

/** Returns a query for the first `most` bars, and the start of the rest; null when there is no rest. */
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

/** Returns the open time of the first bar that opens at or after a time, in Unix milliseconds. */
export function firstOpenAt(intervalMinutes: number, timeMs: number): number {
  const { openTimeMs, closeTimeMs } = barSpanAt(intervalMinutes, timeMs);
  return openTimeMs === timeMs ? timeMs : closeTimeMs;
}

/** Bar lengths requested from exchanges, in minutes; every other length is built from these. */
const BASE_MINUTES = [60, 15, 1] as const;

export type BaseMinutes = (typeof BASE_MINUTES)[number];

/** Returns the longest exchange bar length that divides an interval. */
export const baseOf = (intervalMinutes: number): BaseMinutes =>
  BASE_MINUTES.find((base) => intervalMinutes % base === 0) ?? 1;

/** Prices of one interval, for charts only, never for trading: times in Unix seconds, figures as JSON numbers. */
export interface Candle extends CandleFigures {
  readonly time: number;
}

export interface CandleQuery {
  /** Upper case pair, for instance SOLUSDT. */
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** 1 to 1000 candles, ending with the newest. */
  readonly limit: number;
}

/**
 * A source of candles.
 *
 * Throws `CandleSourceError` when it cannot answer: `symbol_unknown` is permanent, `unavailable` is temporary.
 */
export interface CandleSource {
  /** Name shown beside the chart. */
  readonly name: string;
  candles(query: CandleQuery): Promise<readonly Candle[]>;
}

/** Reason why a source returned no candles. */
export class CandleSourceError extends Error {
  override readonly name = "CandleSourceError";
  readonly kind: "symbol_unknown" | "unavailable";
  constructor(kind: "symbol_unknown" | "unavailable", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
