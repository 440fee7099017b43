import { ExactSum } from "./exact-sum.ts";
import {
  type BarFigures,
  type Indicator,
  type StreamingIndicator,
  period,
  typicalPrice,
  withoutRounding,
} from "./indicator.ts";
import { NumberWindow } from "./window.ts";

/** Lambert's commodity channel index; 0 where all prices in the window are equal. The work grows with the period. */
class CommodityChannel implements StreamingIndicator {
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

export const cci = {
  label: "CCI",
  fullName: "commodity channel",
  parameters: [period(20, 2)],
  outputs: ["value"],
  hasSource: false,
  lookBack: ([n]) => n,
  pineFunctions: ["ta.cci"],
  create: ([n]) => new CommodityChannel(n),
  pine: (id, [n]) => [`${id} = nz(ta.cci(hlc3, ${n}), 0)`],
} as const satisfies Indicator;
