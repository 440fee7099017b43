/**
 * Figures of one closed bar as the indicators read them, at the indexes below.
 *
 * An array instead of an object, so that an indicator reads its configured price without a property lookup.
 */
export type BarFigures = Float64Array;

export const OPEN = 0;
export const HIGH = 1;
export const LOW = 2;
export const CLOSE = 3;
export const VOLUME = 4;
export const OPEN_TIME = 5;

/** One indicator over one market and interval; it takes closed bars in order and allocates nothing per bar. */
export interface StreamingIndicator {
  /** Current value of each output, NaN while it is undefined. */
  readonly values: Float64Array;
  next(bar: BarFigures): void;
}

/** Returns the arithmetic mean of high, low and close. */
export function typicalPrice(bar: BarFigures): number {
  return ((bar[HIGH] ?? 0) + (bar[LOW] ?? 0) + (bar[CLOSE] ?? 0)) / 3;
}

/** Share of a price below which a difference of sums or prices is rounding and counts as zero. */
const ROUNDING = 1e-12;

/** Returns a difference of prices near `price`, or 0 where it is rounding. */
export function withoutRounding(difference: number, price: number): number {
  return Math.abs(difference) <= ROUNDING * price ? 0 : difference;
}
