/** Intervals the candle sources offer. */
export const CANDLE_INTERVALS = [
  "1m",
  "3m",
  "5m",
  "15m",
  "30m",
  "1h",
  "2h",
  "4h",
  "6h",
  "8h",
  "12h",
  "1d",
  "1w",
  "1M",
] as const;

export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Unix time began on a Thursday; weeks of candles begin on Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

const UNIT_MS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

const fixedLength = (interval: CandleInterval): number =>
  Number.parseInt(interval, 10) * UNIT_MS[interval.slice(-1) as keyof typeof UNIT_MS];

const monthOf = (timeMs: number, later = 0): number => {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
};

/**
 * Returns the open time of the candle that contains a time, Unix milliseconds: UTC, weeks on Monday, months on the
 * first.
 */
export function openTimeOf(interval: CandleInterval, timeMs: number): number {
  if (interval === "1M") return monthOf(timeMs);
  if (interval === "1w") {
    return Math.floor((timeMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
  }
  const length = fixedLength(interval);
  return Math.floor(timeMs / length) * length;
}

/**
 * Returns the close time of the candle that opened at a time, which is the open time of the next one, Unix
 * milliseconds.
 */
export function closeTimeOf(interval: CandleInterval, openTimeMs: number): number {
  if (interval === "1M") return monthOf(openTimeMs, 1);
  return openTimeMs + (interval === "1w" ? WEEK_MS : fixedLength(interval));
}

/** Returns the open times of the newest `count` candles, ending with the one that contains `timeMs`. */
export function lastOpenTimes(interval: CandleInterval, timeMs: number, count: number): number[] {
  const opens: number[] = [];
  let openTimeMs = openTimeOf(interval, timeMs);
  while (opens.length < count) {
    opens.push(openTimeMs);
    openTimeMs = openTimeOf(interval, openTimeMs - 1);
  }
  return opens.toReversed();
}

/** Prices of one interval, for charts and conditions, never amounts of money. */
export interface CandleFigures {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/**
 * Returns whether the figures can be a candle: finite, prices positive, no price beyond high or low, volume not
 * negative.
 */
export const isCandle = ({ open, high, low, close, volume }: CandleFigures): boolean =>
  low > 0 &&
  low <= Math.min(open, close) &&
  high >= Math.max(open, close) &&
  high < Infinity &&
  volume >= 0 &&
  volume < Infinity;

/** Returns whether each time is later than the one before it. */
export const isAscending = (times: readonly number[]): boolean =>
  times.every((time, at) => at === 0 || time > (times[at - 1] ?? time));
