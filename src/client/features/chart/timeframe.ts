import type { CandleInterval } from "../../../domain/candle-interval.ts";

export interface Timeframe {
  readonly id: TimeframeId;
  /** Interval of the requested candles; 3M uses daily ones. */
  readonly interval: CandleInterval;
  readonly limit: number;
  /** Name of one candle for screen readers. */
  readonly candleName: string;
  /** Length of a candle in seconds; a month counts as 30 days. */
  readonly candleSeconds: number;
}

export const TIMEFRAME_IDS = ["30m", "1h", "1D", "1W", "1M", "3M"] as const;

export type TimeframeId = (typeof TIMEFRAME_IDS)[number];

const DAY = 86_400;

/** Requested candles of each timeframe. */
const TIMEFRAMES: Readonly<Record<TimeframeId, Timeframe>> = {
  "30m": { id: "30m", interval: "30m", limit: 300, candleName: "30 minutes", candleSeconds: 1800 },
  "1h": { id: "1h", interval: "1h", limit: 200, candleName: "1 hour", candleSeconds: 3600 },
  "1D": { id: "1D", interval: "1d", limit: 365, candleName: "1 day", candleSeconds: DAY },
  "1W": { id: "1W", interval: "1w", limit: 52, candleName: "1 week", candleSeconds: 7 * DAY },
  "1M": { id: "1M", interval: "1M", limit: 120, candleName: "1 month", candleSeconds: 30 * DAY },
  "3M": { id: "3M", interval: "1d", limit: 90, candleName: "1 day", candleSeconds: DAY },
};

/** Default timeframe. */
export const DEFAULT_TIMEFRAME_ID: TimeframeId = "1D";

export function timeframeOf(id: TimeframeId): Timeframe {
  return TIMEFRAMES[id];
}

/** Returns the timeframe that requests these candles. */
export function timeframeFor(request: Pick<Timeframe, "interval" | "limit">): Timeframe {
  const found = Object.values(TIMEFRAMES).find(
    ({ interval, limit }) => interval === request.interval && limit === request.limit,
  );
  return found ?? TIMEFRAMES[DEFAULT_TIMEFRAME_ID];
}
