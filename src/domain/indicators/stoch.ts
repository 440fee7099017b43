import { SimpleAverage } from "./averages.ts";
import {
  type BarFigures,
  CLOSE,
  HIGH,
  type Indicator,
  LOW,
  type StreamingIndicator,
  whole,
} from "./indicator.ts";
import { RollingMaximum } from "./window.ts";

/** Stochastic oscillator; 50 where the window has no range. */
class Stochastic implements StreamingIndicator {
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

export const stoch = {
  label: "Stochastic",
  fullName: "oscillator",
  parameters: [whole("length", 14), whole("smooth K", 1, 1, 50), whole("smooth D", 3, 1, 50)],
  outputs: ["k", "d"],
  hasSource: false,
  lookBack: ([length, smoothK, smoothD]) => length + smoothK + smoothD,
  pineFunctions: ["ta.stoch"],
  create: ([length, smoothK, smoothD]) => new Stochastic(length, smoothK, smoothD),
  pine: (id, [n, smoothK, smoothD]) => [
    `${id}_k = ta.sma(nz(ta.stoch(close, high, low, ${n}), 50), ${smoothK})`,
    `${id}_d = ta.sma(${id}_k, ${smoothD})`,
  ],
} as const satisfies Indicator;
