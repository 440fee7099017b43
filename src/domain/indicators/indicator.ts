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

/**
 * Takes the next closed bar and writes the value of each output; NaN stands until the first is written. It allocates
 * nothing per bar: figures that change are fields of an object, because V8 allocates a captured variable anew.
 */
type Step = (bar: BarFigures, values: Float64Array) => void;

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

/** One parameter of an indicator; both bounds are inclusive. */
export interface IndicatorParameter {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly isWhole: boolean;
}

/** The parameters in their order; those an indicator does not have are never read. */
export type Values = readonly [number, number, number];

/** Everything about one indicator: its form, its arithmetic and its text in Pine. */
export interface Indicator {
  /** Usual name among traders. */
  readonly label: string;
  /** Shown beside the label. */
  readonly fullName: string;
  readonly parameters: readonly IndicatorParameter[];
  /** The first output is the default. */
  readonly outputs: readonly string[];
  /** The price it is computed from can be chosen. */
  readonly hasSource: boolean;
  /**
   * Number of bars the indicator looks back, for the warm-up: a window's length, an EMA's period, for Wilder's
   * smoothing the EMA period of the same weight (2n − 1); the periods of chained averages add up. `session`: it starts
   * anew at 00:00 UTC.
   */
  readonly lookBack: ((p: Values) => number) | "session";
  /** Wilder's smoothing over n bars weighs them as an average over 2n, two chained ones as over 4n; others as over n. */
  readonly smoothing?: 2 | 4;
  /** The level depends on the first bar counted, so it is comparable only with itself. */
  readonly isLevelFree?: true;
  /** Returns why parameters within their ranges do not fit together, one sentence. */
  readonly fault?: (p: Values) => string | null;
  /** Functions of Pine Script v6 that only this indicator calls. */
  readonly pineFunctions?: readonly string[];
  /** Returns the arithmetic over one market and interval, before its first bar; `source` is an index into a bar's figures. */
  readonly create: (p: Values, source: number) => Step;
  /**
   * Returns the lines in Pine that define the output as `id` or, with several outputs, as `id_output`, with this
   * product's result where Pine's is undefined: no range, no difference or no flow.
   */
  readonly pine: (id: string, p: Values, source: string) => readonly string[];
}

export const whole = (name: string, byDefault: number, min = 1, max = 500): IndicatorParameter => ({
  name,
  min,
  max,
  default: byDefault,
  isWhole: true,
});

export const period = (byDefault: number, min = 1): IndicatorParameter =>
  whole("period", byDefault, min);

export const factor = (name: string, byDefault: number): IndicatorParameter => ({
  name,
  min: 0.1,
  max: 20,
  default: byDefault,
  isWhole: false,
});

/** Returns the period of the exponential average that weighs bars as Wilder's smoothing over `n` bars does. */
export const wilder = (n: number): number => 2 * n - 1;
