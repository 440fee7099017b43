import { WilderAverage } from "./averages.ts";
import {
  type BarFigures,
  type Indicator,
  type StreamingIndicator,
  period,
  wilder,
} from "./indicator.ts";

/** Wilder's relative strength index; 100 while no close fell. */
class RelativeStrength implements StreamingIndicator {
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

export const rsi = {
  label: "RSI",
  fullName: "relative strength",
  parameters: [period(14, 2)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => wilder(n) + 1,
  smoothing: 2,
  pineFunctions: ["ta.rsi"],
  create: ([n], source) => new RelativeStrength(n, source),
  pine: (id, [n], source) => [`${id} = ta.rsi(${source}, ${n})`],
} as const satisfies Indicator;
