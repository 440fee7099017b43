import { adx } from "../indicators/adx.ts";
import { atr } from "../indicators/atr.ts";
import { ema, sma, wma } from "../indicators/averages.ts";
import { bb } from "../indicators/bb.ts";
import { cci } from "../indicators/cci.ts";
import { donchian } from "../indicators/donchian.ts";
import { keltner } from "../indicators/keltner.ts";
import { macd } from "../indicators/macd.ts";
import { mfi } from "../indicators/mfi.ts";
import { obv } from "../indicators/obv.ts";
import { roc } from "../indicators/roc.ts";
import { rsi } from "../indicators/rsi.ts";
import { stddev } from "../indicators/window.ts";
import { stoch } from "../indicators/stoch.ts";
import { supertrend } from "../indicators/supertrend.ts";
import { vwap } from "../indicators/vwap.ts";
import type { BarFigures, Indicator, Values } from "../indicators/indicator.ts";

/** Price and volume fields of a bar. */
export const PRICE_FIELDS = ["open", "high", "low", "close", "volume"] as const;

export type PriceField = (typeof PRICE_FIELDS)[number];

/** Figures of the agent's open position at the close of a bar; comparisons on them never hold without a position. */
export const POSITION_FIGURES = [
  "bars-since-entry",
  "profit-percent",
  "drop-from-best-percent",
] as const;

export type PositionFigure = (typeof POSITION_FIGURES)[number];

/** Every indicator a condition can name, in the order forms offer them. */
export const INDICATORS = {
  SMA: sma,
  EMA: ema,
  WMA: wma,
  RSI: rsi,
  MACD: macd,
  BB: bb,
  ATR: atr,
  ADX: adx,
  STOCH: stoch,
  CCI: cci,
  MFI: mfi,
  OBV: obv,
  VWAP: vwap,
  DONCHIAN: donchian,
  KELTNER: keltner,
  SUPERTREND: supertrend,
  ROC: roc,
  STDDEV: stddev,
} as const satisfies Readonly<Record<string, Indicator>>;

export type IndicatorName = keyof typeof INDICATORS;

/** Returns the entry of an indicator with all of its optional properties. */
export const specOf = (name: IndicatorName): Indicator => INDICATORS[name];

/** Returns an indicator's parameters as its functions take them. Throws `RangeError` when one is missing. */
export function valuesOf(name: IndicatorName, parameters: readonly number[]): Values {
  if (parameters.length < INDICATORS[name].parameters.length) {
    throw new RangeError(`A parameter of ${name} is missing.`);
  }
  return parameters as unknown as Values;
}

/** One indicator over one market and interval; it takes closed bars in order. */
export interface StreamingIndicator {
  /** Current value of each output, NaN while it is undefined. */
  readonly values: Float64Array;
  readonly next: (bar: BarFigures) => void;
}

/** Creates an indicator that has seen no bar; its parameters have passed `checkCondition`. */
export function createIndicator(
  name: IndicatorName,
  parameters: readonly number[],
  source: number,
): StreamingIndicator {
  const values = new Float64Array(INDICATORS[name].outputs.length).fill(Number.NaN);
  const step = INDICATORS[name].create(valuesOf(name, parameters), source);
  return { values, next: (bar) => step(bar, values) };
}
