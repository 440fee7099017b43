import {
  type BarFigures,
  HIGH,
  type Indicator,
  LOW,
  type StreamingIndicator,
  period,
} from "./indicator.ts";
import { RollingMaximum } from "./window.ts";

/** Highest high and lowest low of the last bars, including the current one. */
class DonchianChannel implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN, Number.NaN]);
  private readonly highest: RollingMaximum;
  private readonly lowest: RollingMaximum;

  constructor(period: number) {
    this.highest = new RollingMaximum(period);
    this.lowest = new RollingMaximum(period);
  }

  next(bar: BarFigures): void {
    const high = this.highest.push(bar[HIGH] ?? 0);
    const low = -this.lowest.push(-(bar[LOW] ?? 0));
    if (!this.highest.isFull) return;
    this.values[0] = high;
    this.values[1] = low;
  }
}

export const donchian = {
  label: "Donchian",
  fullName: "channel",
  parameters: [period(20)],
  outputs: ["high", "low"],
  hasSource: false,
  lookBack: ([n]) => n,
  pineFunctions: ["ta.highest", "ta.lowest"],
  create: ([n]) => new DonchianChannel(n),
  pine: (id, [n]) => [`${id}_high = ta.highest(high, ${n})`, `${id}_low = ta.lowest(low, ${n})`],
} as const satisfies Indicator;
