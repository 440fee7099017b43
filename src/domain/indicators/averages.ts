import { NumberWindow, ExactSum } from "./window.ts";
import { type Indicator, period } from "./indicator.ts";

/** A moving average over single numbers; NaN until it has received as many as its period. */
export interface MovingAverage {
  push(item: number): number;
}

/** Simple moving average. */
export class SimpleAverage implements MovingAverage {
  private readonly window: NumberWindow;
  private readonly sum = new ExactSum();

  constructor(period: number) {
    this.window = new NumberWindow(period);
  }

  push(item: number): number {
    this.sum.add(item);
    this.sum.add(-this.window.push(item));
    return this.window.isFull ? this.sum.value / this.window.length : Number.NaN;
  }
}

/** Linearly weighted moving average: the newest number has weight `period`, the oldest weight one. */
class WeightedAverage implements MovingAverage {
  private readonly window: NumberWindow;
  private readonly sum = new ExactSum();
  private readonly weighted = new ExactSum();

  constructor(period: number) {
    this.window = new NumberWindow(period);
  }

  push(item: number): number {
    const { length } = this.window;
    const before = this.sum.value;
    const beforeError = this.sum.error;
    const left = this.window.push(item);
    this.weighted.addProduct(length, item);
    this.weighted.add(-before);
    this.weighted.add(-beforeError);
    this.sum.add(item);
    this.sum.add(-left);
    return this.window.isFull ? this.weighted.value / ((length * (length + 1)) / 2) : Number.NaN;
  }
}

/**
 * Average that moves by a fixed share of the distance to each new number, seeded with the simple average of the first
 * `period`.
 */
class SmoothedAverage implements MovingAverage {
  private readonly period: number;
  private readonly share: number;
  private readonly seed = new ExactSum();
  private seen = 0;
  private value = Number.NaN;

  constructor(period: number, share: number) {
    this.period = period;
    this.share = share;
  }

  push(item: number): number {
    if (this.seen >= this.period) {
      this.value += (item - this.value) * this.share;
      return this.value;
    }
    this.seed.add(item);
    this.seen += 1;
    if (this.seen === this.period) this.value = this.seed.value / this.period;
    return this.value;
  }
}

/** Exponential moving average, seeded as in TA-Lib. */
export class ExponentialAverage extends SmoothedAverage {
  constructor(period: number) {
    super(period, 2 / (period + 1));
  }
}

/** Wilder's smoothing, which platforms call RMA or SMMA. */
export class WilderAverage extends SmoothedAverage {
  constructor(period: number) {
    super(period, 1 / period);
  }
}

/** Returns the arithmetic of an average of one price. */
const averageOf =
  (average: MovingAverage, source: number): ReturnType<Indicator["create"]> =>
  (bar, values) => {
    values[0] = average.push(bar[source] ?? 0);
  };

export const sma = {
  label: "SMA",
  fullName: "simple average",
  parameters: [period(20)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => n,
  create: ([n], source) => averageOf(new SimpleAverage(n), source),
  pine: (id, [n], source) => [`${id} = ta.sma(${source}, ${n})`],
} as const satisfies Indicator;

export const ema = {
  label: "EMA",
  fullName: "exponential average",
  parameters: [period(20)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => n,
  create: ([n], source) => averageOf(new ExponentialAverage(n), source),
  pine: (id, [n], source) => [`${id} = ta.ema(${source}, ${n})`],
} as const satisfies Indicator;

export const wma = {
  label: "WMA",
  fullName: "weighted average",
  parameters: [period(20)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => n,
  create: ([n], source) => averageOf(new WeightedAverage(n), source),
  pine: (id, [n], source) => [`${id} = ta.wma(${source}, ${n})`],
} as const satisfies Indicator;
