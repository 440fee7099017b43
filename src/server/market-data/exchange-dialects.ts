import type { CandleInterval } from "../../domain/candle-interval.ts";
import { CandleSourceError } from "./candle-history.ts";

/** Candles to ask an exchange for: the newest ones, or those that open within a span, its end exclusive. */
export interface KlineQuery {
  /** Upper case pair, for instance SOLUSDT. */
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** 1 to 1000. */
  readonly limit: number;
  readonly span?: { readonly fromMs: number; readonly toMs: number };
}

/** Request and response format of an exchange's candles. */
export interface KlineDialect {
  readonly name: string;
  url(query: KlineQuery): string;
  /** Returns the raw rows, `[openTimeMs, open, high, low, close, volume]`, oldest first. */
  rows(body: unknown, symbol: string): readonly unknown[];
}

const search = (parameters: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

const listOf = (name: string, rows: unknown): readonly unknown[] => {
  if (Array.isArray(rows)) return rows;
  throw new CandleSourceError("unavailable", `${name} answered without a list of candles`);
};

/** Binance spot, without an API key: request weight 6,000 per minute, 2 per call. The end parameter is inclusive. */
export const binanceKlines = (origin = "https://data-api.binance.vision"): KlineDialect => ({
  name: "Binance",
  url: ({ symbol, interval, limit, span }) =>
    `${origin}/api/v3/klines?${search({
      symbol,
      interval,
      ...(span && { startTime: span.fromMs, endTime: span.toMs - 1 }),
      limit,
    })}`,
  rows: (body) => listOf("Binance", body),
});

const BYBIT_INTERVALS: Readonly<Partial<Record<CandleInterval, string>>> = {
  "1m": "1",
  "3m": "3",
  "5m": "5",
  "15m": "15",
  "30m": "30",
  "1h": "60",
  "2h": "120",
  "4h": "240",
  "6h": "360",
  "12h": "720",
  "1d": "D",
  "1w": "W",
  "1M": "M",
};

/** Bybit's error code for an unknown symbol. */
const BYBIT_BAD_PARAMETER = 10_001;

/** Bybit spot: 600 requests in 5 seconds, rows newest first, no eight-hour interval. */
export const bybitKlines = (origin = "https://api.bybit.com"): KlineDialect => ({
  name: "Bybit",
  url({ symbol, interval, limit, span }) {
    const known = BYBIT_INTERVALS[interval];
    if (known === undefined) {
      throw new CandleSourceError("symbol_unknown", `Bybit has no interval ${interval}`);
    }
    return `${origin}/v5/market/kline?${search({
      category: "spot",
      symbol,
      interval: known,
      ...(span && { start: span.fromMs, end: span.toMs - 1 }),
      limit,
    })}`;
  },
  rows(body, symbol) {
    const answer = body as { retCode?: unknown; result?: { list?: unknown } } | null;
    if (answer?.retCode === BYBIT_BAD_PARAMETER) {
      throw new CandleSourceError("symbol_unknown", `Bybit does not know ${symbol}`);
    }
    if (answer?.retCode !== 0) {
      throw new CandleSourceError("unavailable", "Bybit refused to answer");
    }
    return listOf("Bybit", answer.result?.list).toReversed();
  },
});
