import { WilderAverage } from "./averages.ts";
import {
  type BarFigures,
  CLOSE,
  HIGH,
  type Indicator,
  LOW,
  type StreamingIndicator,
  period,
  wilder,
} from "./indicator.ts";

/** Wilder's true range; for the first bar, its high less its low. */
export class TrueRange {
  private closeBefore = Number.NaN;

  push(bar: BarFigures): number {
    const high = bar[HIGH] ?? 0;
    const low = bar[LOW] ?? 0;
    const before = this.closeBefore;
    this.closeBefore = bar[CLOSE] ?? 0;
    return Number.isNaN(before) ? high - low : Math.max(high, before) - Math.min(low, before);
  }
}

/** Average true range with Wilder's smoothing. */
export class AverageTrueRange implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly range = new TrueRange();
  private readonly average: WilderAverage;

  constructor(period: number) {
    this.average = new WilderAverage(period);
  }

  next(bar: BarFigures): void {
    this.values[0] = this.average.push(this.range.push(bar));
  }
}

export const atr = {
  label: "ATR",
  fullName: "true range",
  parameters: [period(14)],
  outputs: ["value"],
  hasSource: false,
  lookBack: ([n]) => wilder(n) + 1,
  smoothing: 2,
  create: ([n]) => new AverageTrueRange(n),
  pine: (id, [n]) => [`${id} = ta.atr(${n})`],
} as const satisfies Indicator;
