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
