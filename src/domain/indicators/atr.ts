import { WilderAverage } from "./averages.ts";
import { type BarFigures, CLOSE, HIGH, type Indicator, LOW, period, wilder } from "./indicator.ts";

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
export class AverageTrueRange {
  private readonly range = new TrueRange();
  private readonly average: WilderAverage;

  constructor(period: number) {
    this.average = new WilderAverage(period);
  }

  push(bar: BarFigures): number {
    return this.average.push(this.range.push(bar));
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
  create: ([n]) => {
    const average = new AverageTrueRange(n);
    return (bar, values) => {
      values[0] = average.push(bar);
    };
  },
  pine: (id, [n]) => [`${id} = ta.atr(${n})`],
} as const satisfies Indicator;
