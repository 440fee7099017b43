import type { Operand } from "../domain/condition/condition.ts";
import type { IndicatorName } from "../domain/condition/indicator-table.ts";
import {
  ExponentialAverage,
  PriceAverage,
  SimpleAverage,
  WeightedAverage,
} from "./indicators/averages.ts";
import {
  BollingerBands,
  DonchianChannel,
  KeltnerChannels,
  StandardDeviation,
} from "./indicators/bands.ts";
import {
  CommodityChannel,
  MovingAverageConvergence,
  RateOfChange,
  RelativeStrength,
  Stochastic,
} from "./indicators/oscillators.ts";
import { AverageTrueRange, DirectionalIndex, Supertrend } from "./indicators/ranges.ts";
import type { StreamingIndicator } from "./indicators/streaming-indicator.ts";
import { MoneyFlow, OnBalanceVolume, SessionVwap } from "./indicators/volumes.ts";

export type IndicatorOperand = Extract<Operand, { readonly kind: "indicator" }>;

/**
 * The arithmetic of one indicator. `p` are its parameters in the order of `INDICATORS`, `source` an index into a bar's
 * figures.
 */
interface IndicatorArithmetic {
  create(p: readonly number[], source: number): StreamingIndicator;
  /**
   * Number of bars the indicator looks back, for the warm-up: a window's length, an EMA's period, for Wilder's
   * smoothing the EMA period of the same weight (2n − 1); the periods of chained averages add up.
   */
  period(p: readonly number[]): number;
}

const wilder = (period: number): number => 2 * period - 1;

const at = (p: readonly number[], index: number): number => {
  const value = p[index];
  if (value === undefined) throw new RangeError(`Parameter ${index} of an indicator is missing.`);
  return value;
};

const first = (p: readonly number[]): number => at(p, 0);

const ARITHMETIC: Readonly<Record<IndicatorName, IndicatorArithmetic>> = {
  SMA: {
    create: (p, source) => new PriceAverage(new SimpleAverage(first(p)), source),
    period: first,
  },
  EMA: {
    create: (p, source) => new PriceAverage(new ExponentialAverage(first(p)), source),
    period: first,
  },
  WMA: {
    create: (p, source) => new PriceAverage(new WeightedAverage(first(p)), source),
    period: first,
  },
  RSI: {
    create: (p, source) => new RelativeStrength(first(p), source),
    period: (p) => wilder(first(p)) + 1,
  },
  MACD: {
    create: (p, source) => new MovingAverageConvergence(at(p, 0), at(p, 1), at(p, 2), source),
    period: (p) => at(p, 1) + at(p, 2),
  },
  BB: { create: (p, source) => new BollingerBands(at(p, 0), at(p, 1), source), period: first },
  ATR: { create: (p) => new AverageTrueRange(first(p)), period: (p) => wilder(first(p)) + 1 },
  ADX: { create: (p) => new DirectionalIndex(first(p)), period: (p) => 2 * wilder(first(p)) + 1 },
  STOCH: {
    create: (p) => new Stochastic(at(p, 0), at(p, 1), at(p, 2)),
    period: (p) => at(p, 0) + at(p, 1) + at(p, 2),
  },
  CCI: { create: (p) => new CommodityChannel(first(p)), period: first },
  MFI: { create: (p) => new MoneyFlow(first(p)), period: (p) => first(p) + 1 },
  OBV: { create: () => new OnBalanceVolume(), period: () => 1 },
  VWAP: { create: () => new SessionVwap(), period: () => 1 },
  DONCHIAN: { create: (p) => new DonchianChannel(first(p)), period: first },
  KELTNER: {
    create: (p) => new KeltnerChannels(at(p, 0), at(p, 1), at(p, 2)),
    period: (p) => Math.max(first(p), wilder(at(p, 2)) + 1),
  },
  // Its bands persist until a close breaks through, so it gets twice the warm-up of its range
  SUPERTREND: {
    create: (p) => new Supertrend(at(p, 0), at(p, 1)),
    period: (p) => 2 * wilder(first(p)) + 1,
  },
  ROC: { create: (p, source) => new RateOfChange(first(p), source), period: (p) => first(p) + 1 },
  STDDEV: { create: (p, source) => new StandardDeviation(first(p), source), period: first },
};

/** Creates an indicator that has seen no bar; its parameters have passed `checkCondition`. */
export function createIndicator(
  name: IndicatorName,
  parameters: readonly number[],
  source: number,
): StreamingIndicator {
  return ARITHMETIC[name].create(parameters, source);
}

/** Returns the number of bars an indicator looks back, for the warm-up. */
export function indicatorPeriod({ name, parameters }: IndicatorOperand): number {
  return ARITHMETIC[name].period(parameters);
}
