import type { CandleInterval } from "../../domain/candle-interval.ts";

/** One interval's prices, for charts only: times in Unix seconds, figures as JSON numbers, never used to trade. */
export interface Candle {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface CandleQuery {
  /** Upper case pair, for instance SOLUSDT. */
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** 1 to 1000 candles, the newest last. */
  readonly limit: number;
}

/**
 * A place candles come from.
 *
 * Throws `CandleSourceError` when it cannot answer. `symbol_unknown` is its last word; `unavailable` may pass.
 */
export interface CandleSource {
  /** Shown beside the chart. */
  readonly name: string;
  candles(query: CandleQuery): Promise<readonly Candle[]>;
}

/** Why a source gave no candles. */
export class CandleSourceError extends Error {
  override readonly name = "CandleSourceError";
  readonly kind: "symbol_unknown" | "unavailable";
  constructor(kind: "symbol_unknown" | "unavailable", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
