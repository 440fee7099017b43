import { type BarFigures, type Indicator, type StreamingIndicator, period } from "./indicator.ts";
import { NumberWindow } from "./window.ts";

/** Rate of change in percent. */
class RateOfChange implements StreamingIndicator {
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

export const roc = {
  label: "ROC",
  fullName: "rate of change",
  parameters: [period(9)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => n + 1,
  pineFunctions: ["ta.roc"],
  create: ([n], source) => new RateOfChange(n, source),
  pine: (id, [n], source) => [`${id} = ta.roc(${source}, ${n})`],
} as const satisfies Indicator;
