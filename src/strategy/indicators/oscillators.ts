import { ExponentialAverage, SimpleAverage, WilderAverage } from "./averages.ts";
import {
  type BarFigures,
  CLOSE,
  HIGH,
  LOW,
  type StreamingIndicator,
  typicalPrice,
  withoutRounding,
} from "./streaming-indicator.ts";
import { ExactSum } from "./exact-sum.ts";
import { NumberWindow, RollingMaximum } from "./window.ts";

/** Wilder's relative strength index; 100 while no close fell. */
export class RelativeStrength implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly gain: WilderAverage;
  private readonly loss: WilderAverage;
  private readonly source: number;
  private before = Number.NaN;

  constructor(period: number, source: number) {
    this.gain = new WilderAverage(period);
    this.loss = new WilderAverage(period);
    this.source = source;
  }

  next(bar: BarFigures): void {
    const price = bar[this.source] ?? 0;
    const change = price - this.before;
    this.before = price;
    if (Number.isNaN(change)) return;
    const gain = this.gain.push(change > 0 ? change : 0);
    const loss = this.loss.push(change < 0 ? -change : 0);
    this.values[0] = loss === 0 ? 100 : (100 * gain) / (gain + loss);
  }
}

/** MACD: the line, its EMA as the signal, and their difference. */
export class MovingAverageConvergence implements StreamingIndicator {
  readonly values = new Float64Array(3).fill(Number.NaN);
  private readonly fast: ExponentialAverage;
  private readonly slow: ExponentialAverage;
  private readonly signal: ExponentialAverage;
  private readonly source: number;

  constructor(fast: number, slow: number, signal: number, source: number) {
    this.fast = new ExponentialAverage(fast);
    this.slow = new ExponentialAverage(slow);
    this.signal = new ExponentialAverage(signal);
    this.source = source;
  }

  next(bar: BarFigures): void {
    const price = bar[this.source] ?? 0;
    const line = this.fast.push(price) - this.slow.push(price);
    if (Number.isNaN(line)) return;
    const signal = this.signal.push(line);
    this.values[0] = line;
    this.values[1] = signal;
    this.values[2] = line - signal;
  }
}

/** Stochastic oscillator; 50 where the window has no range. */
export class Stochastic implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN, Number.NaN]);
  private readonly highest: RollingMaximum;
  private readonly lowest: RollingMaximum;
  private readonly k: SimpleAverage;
  private readonly d: SimpleAverage;

  constructor(length: number, smoothK: number, smoothD: number) {
    this.highest = new RollingMaximum(length);
    this.lowest = new RollingMaximum(length);
    this.k = new SimpleAverage(smoothK);
    this.d = new SimpleAverage(smoothD);
  }

  next(bar: BarFigures): void {
    const high = this.highest.push(bar[HIGH] ?? 0);
    const low = -this.lowest.push(-(bar[LOW] ?? 0));
    if (!this.highest.isFull) return;
    const k = this.k.push(high === low ? 50 : (100 * ((bar[CLOSE] ?? 0) - low)) / (high - low));
    this.values[0] = k;
    if (!Number.isNaN(k)) this.values[1] = this.d.push(k);
  }
}

/** Lambert's commodity channel index; 0 where all prices in the window are equal. The work grows with the period. */
export class CommodityChannel implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly window: NumberWindow;
  private readonly sum = new ExactSum();

  constructor(period: number) {
    this.window = new NumberWindow(period);
  }

  next(bar: BarFigures): void {
    const price = typicalPrice(bar);
    this.sum.add(price);
    this.sum.add(-this.window.push(price));
    if (!this.window.isFull) return;
    const count = this.window.length;
    const mean = this.sum.value / count;
    const distance = this.window.distanceFrom(mean) / count;
    // The mean of equal prices may be off by its last bit
    const isFlat = distance <= Math.abs(mean) * 1e-14;
    this.values[0] = isFlat ? 0 : withoutRounding(price - mean, price) / (0.015 * distance);
  }
}

/** Rate of change in percent. */
export class RateOfChange implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly window: NumberWindow;
  private readonly source: number;

  constructor(period: number, source: number) {
    this.window = new NumberWindow(period);
    this.source = source;
  }

  next(bar: BarFigures): void {
    const price = bar[this.source] ?? 0;
    const hadAll = this.window.isFull;
    const before = this.window.push(price);
    if (hadAll) this.values[0] = before === 0 ? Number.NaN : (100 * (price - before)) / before;
  }
}
