import { CandleSourceError } from "./candle-source.ts";
import type { BaseMinutes } from "./base-minutes.ts";
import type { HistoryDialect } from "./exchange-history.ts";

const search = (parameters: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

const listOf = (name: string, rows: unknown): readonly unknown[] => {
  if (Array.isArray(rows)) return rows;
  throw new CandleSourceError("unavailable", `${name} answered without a list of candles`);
};

const BINANCE_INTERVALS: Readonly<Record<BaseMinutes, string>> = { 1: "1m", 15: "15m", 60: "1h" };

/** Binance spot: request weight 6,000 per minute, 2 per call. The end parameter is the last open time, inclusive. */
export const binanceHistory = (origin = "https://data-api.binance.vision"): HistoryDialect => ({
  name: "Binance",
  url: ({ symbol, baseMinutes, fromMs, toMs }) =>
    `${origin}/api/v3/klines?${search({
      symbol,
      interval: BINANCE_INTERVALS[baseMinutes],
      startTime: fromMs,
      endTime: toMs - 1,
      limit: 1_000,
    })}`,
  rows: (body) => listOf("Binance", body),
});

/** Bybit's error code for an unknown symbol. */
const BYBIT_BAD_PARAMETER = 10_001;

/** Bybit spot: 600 requests in 5 seconds, rows newest first. */
export const bybitHistory = (origin = "https://api.bybit.com"): HistoryDialect => ({
  name: "Bybit",
  url: ({ symbol, baseMinutes, fromMs, toMs }) =>
    `${origin}/v5/market/kline?${search({
      category: "spot",
      symbol,
      interval: baseMinutes,
      start: fromMs,
      end: toMs - 1,
      limit: 1_000,
    })}`,
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
