import { isAscending, isCandle } from "../../domain/candle.ts";
import type { CandleInterval } from "../../domain/candle-interval.ts";
import {
  type Candle,
  type CandleQuery,
  type CandleSource,
  CandleSourceError,
} from "./candle-source.ts";

/** Request and response format of an exchange's candles. */
export interface KlineDialect {
  readonly name: string;
  url(query: CandleQuery): string;
  /** Returns candles, oldest first. Throws `CandleSourceError` for a response without any. */
  read(body: unknown): readonly Candle[];
}

/** The two platform functions a source needs, passed in so that tests control the answers. */
export interface KlineTransport {
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<Response>;
  sleep(ms: number): Promise<void>;
}

/** Timeout of one request in milliseconds. */
const TIMEOUT_MS = 4_000;

/** Attempts per call, including the first. */
const MAX_ATTEMPTS = 2;

const RETRY_AFTER_MS = 250;

/** Creates a candle source from an exchange's public HTTP interface. */
export function createExchangeKlines(
  dialect: KlineDialect,
  transport: KlineTransport,
): CandleSource {
  const ask = async (query: CandleQuery): Promise<readonly Candle[]> => {
    const answer = await transport.fetch(dialect.url(query), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.status === 400 || answer.status === 404) {
      throw new CandleSourceError(
        "symbol_unknown",
        `${dialect.name} does not know ${query.symbol}`,
      );
    }
    if (!answer.ok) {
      throw new CandleSourceError("unavailable", `${dialect.name} answered ${answer.status}`);
    }
    return dialect.read(await answer.json());
  };
  return {
    name: dialect.name,
    async candles(query) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return (await ask(query)).slice(-query.limit);
        } catch (error) {
          const isLast = attempt === MAX_ATTEMPTS;
          if (error instanceof CandleSourceError && (isLast || error.kind === "symbol_unknown")) {
            throw error;
          }
          if (isLast) {
            throw new CandleSourceError("unavailable", `${dialect.name} did not answer`, error);
          }
          await transport.sleep(RETRY_AFTER_MS);
        }
      }
    },
  };
}

// Only for charts, never for amounts of money
function toFigure(value: unknown): number {
  const figure = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof figure !== "number" || !Number.isFinite(figure)) {
    throw new CandleSourceError("unavailable", "A candle holds something that is no number");
  }
  return figure;
}

function toCandles(rows: unknown): readonly Candle[] {
  if (!Array.isArray(rows)) {
    throw new CandleSourceError("unavailable", "The answer holds no list of candles");
  }
  const candles = rows.map((row: unknown) => {
    const cells: readonly unknown[] = Array.isArray(row) ? row : [];
    const [openedAtMs, open, high, low, close, volume] = cells.slice(0, 6).map(toFigure);
    if (volume === undefined) {
      throw new CandleSourceError("unavailable", "A candle is incomplete");
    }
    const candle = {
      time: Math.floor((openedAtMs ?? 0) / 1000),
      open: open ?? 0,
      high: high ?? 0,
      low: low ?? 0,
      close: close ?? 0,
      volume,
    };
    if (isCandle(candle)) return candle;
    throw new CandleSourceError("unavailable", "The answer holds something that is no candle");
  });
  return inOrder(candles);
}

/** Returns candles oldest first: one exchange lists the newest first. Any other order is refused. */
function inOrder(candles: readonly Candle[]): readonly Candle[] {
  const isNewestFirst = (candles[0]?.time ?? 0) > (candles.at(-1)?.time ?? 0);
  const ordered = isNewestFirst ? candles.toReversed() : candles;
  if (isAscending(ordered.map(({ time }) => time))) return ordered;
  throw new CandleSourceError("unavailable", "The candles are out of order or come twice");
}

const search = (parameters: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

/** Binance's market data, which needs no API key. */
export const binanceKlines = (origin = "https://data-api.binance.vision"): KlineDialect => ({
  name: "Binance",
  url: ({ symbol, interval, limit }) =>
    `${origin}/api/v3/klines?${search({ symbol, interval, limit })}`,
  read: toCandles,
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

/** Bybit's spot candles; it has no eight-hour interval and lists the newest first. */
export const bybitKlines = (origin = "https://api.bybit.com"): KlineDialect => ({
  name: "Bybit",
  url: ({ symbol, interval, limit }) => {
    const known = BYBIT_INTERVALS[interval];
    if (known === undefined) {
      throw new CandleSourceError("symbol_unknown", `Bybit has no interval ${interval}`);
    }
    return `${origin}/v5/market/kline?${search({ category: "spot", symbol, interval: known, limit })}`;
  },
  read(body) {
    const answer = body as { retCode?: unknown; result?: { list?: unknown } } | null;
    if (answer?.retCode !== 0) {
      throw new CandleSourceError("symbol_unknown", "Bybit does not know the symbol");
    }
    return toCandles(answer.result?.list);
  },
});
