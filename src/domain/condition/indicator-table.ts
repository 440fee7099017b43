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

/** One parameter of an indicator; both bounds are inclusive. */
export interface IndicatorParameter {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly isWhole: boolean;
}

/** Name, parameters and outputs of an indicator. Its arithmetic is in `strategy/`. */
export interface IndicatorSpec {
  /** Usual name among traders. */
  readonly label: string;
  readonly parameters: readonly IndicatorParameter[];
  /** The first output is the default. */
  readonly outputs: readonly string[];
  /** The price it is computed from can be chosen. */
  readonly hasSource: boolean;
}

const period = (byDefault: number, min = 1): IndicatorParameter => ({
  name: "period",
  min,
  max: 500,
  default: byDefault,
  isWhole: true,
});

const whole = (name: string, byDefault: number, min = 1, max = 500): IndicatorParameter => ({
  name,
  min,
  max,
  default: byDefault,
  isWhole: true,
});

const factor = (name: string, byDefault: number): IndicatorParameter => ({
  name,
  min: 0.1,
  max: 20,
  default: byDefault,
  isWhole: false,
});

/** Every indicator a condition can name, in the order forms offer them. */
export const INDICATORS = {
  SMA: { label: "SMA", parameters: [period(20)], outputs: ["value"], hasSource: true },
  EMA: { label: "EMA", parameters: [period(20)], outputs: ["value"], hasSource: true },
  WMA: { label: "WMA", parameters: [period(20)], outputs: ["value"], hasSource: true },
  RSI: { label: "RSI", parameters: [period(14, 2)], outputs: ["value"], hasSource: true },
  MACD: {
    label: "MACD",
    parameters: [whole("fast", 12), whole("slow", 26, 2), whole("signal", 9)],
    outputs: ["line", "signal", "histogram"],
    hasSource: true,
  },
  BB: {
    label: "Bollinger",
    parameters: [period(20, 2), factor("deviations", 2)],
    outputs: ["upper", "middle", "lower", "width"],
    hasSource: true,
  },
  ATR: { label: "ATR", parameters: [period(14)], outputs: ["value"], hasSource: false },
  ADX: { label: "ADX", parameters: [period(14)], outputs: ["value"], hasSource: false },
  STOCH: {
    label: "Stochastic",
    parameters: [whole("length", 14), whole("smooth K", 1, 1, 50), whole("smooth D", 3, 1, 50)],
    outputs: ["k", "d"],
    hasSource: false,
  },
  CCI: { label: "CCI", parameters: [period(20, 2)], outputs: ["value"], hasSource: false },
  MFI: { label: "MFI", parameters: [period(14, 2)], outputs: ["value"], hasSource: false },
  OBV: { label: "OBV", parameters: [], outputs: ["value"], hasSource: false },
  VWAP: { label: "VWAP", parameters: [], outputs: ["value"], hasSource: false },
  DONCHIAN: {
    label: "Donchian",
    parameters: [period(20)],
    outputs: ["high", "low"],
    hasSource: false,
  },
  KELTNER: {
    label: "Keltner",
    parameters: [period(20, 2), factor("multiple", 2), whole("ATR period", 10)],
    outputs: ["upper", "middle", "lower"],
    hasSource: false,
  },
  SUPERTREND: {
    label: "Supertrend",
    parameters: [period(10), factor("multiple", 3)],
    outputs: ["line", "direction"],
    hasSource: false,
  },
  ROC: { label: "ROC", parameters: [period(9)], outputs: ["value"], hasSource: true },
  STDDEV: { label: "StdDev", parameters: [period(20, 2)], outputs: ["value"], hasSource: true },
} as const satisfies Readonly<Record<string, IndicatorSpec>>;

export type IndicatorName = keyof typeof INDICATORS;
