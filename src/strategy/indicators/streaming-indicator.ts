/**
 * Figures of one closed bar as the indicators read them, by the positions below.
 *
 * An array instead of the bar, so that an indicator reads the price it was set to without looking up a name.
 */
export type BarFigures = Float64Array;

export const OPEN = 0;
export const HIGH = 1;
export const LOW = 2;
export const CLOSE = 3;
export const VOLUME = 4;
export const OPEN_TIME = 5;

/** One indicator over one market and interval; takes closed bars in order and allocates nothing per bar. */
export interface StreamingIndicator {
  /** The present figure of each output, NaN while there is none. */
  readonly values: Float64Array;
  next(bar: BarFigures): void;
}

/** Returns the arithmetic mean of high, low and close. */
export function typicalPrice(bar: BarFigures): number {
  return ((bar[HIGH] ?? 0) + (bar[LOW] ?? 0) + (bar[CLOSE] ?? 0)) / 3;
}

/** Share of a price below which two sums or differences of prices are equal: what is left is rounding. */
const ROUNDING = 1e-12;

/** Returns a difference of prices about `price`, 0 where it is nothing but rounding. */
export function withoutRounding(difference: number, price: number): number {
  return Math.abs(difference) <= ROUNDING * price ? 0 : difference;
}
