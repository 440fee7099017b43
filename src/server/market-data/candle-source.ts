import type { CandleInterval, CandleFigures } from "../../domain/candle-interval.ts";

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
