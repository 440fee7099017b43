import { ExactSum } from "./exact-sum.ts";
import {
  type BarFigures,
  type Indicator,
  type StreamingIndicator,
  VOLUME,
  period,
  typicalPrice,
  withoutRounding,
} from "./indicator.ts";
import { NumberWindow } from "./window.ts";

/** Money flow index; 100 while no money flowed out, 50 while none flowed at all. */
class MoneyFlow implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly flows: NumberWindow;
  private readonly positive = new ExactSum();
  private readonly negative = new ExactSum();
  private before = Number.NaN;

  constructor(period: number) {
    this.flows = new NumberWindow(period);
  }

  next(bar: BarFigures): void {
    const price = typicalPrice(bar);
    const change = withoutRounding(price - this.before, price);
    this.before = price;
    if (Number.isNaN(change)) return;
    const flow = Math.sign(change) * price * (bar[VOLUME] ?? 0);
    const left = this.flows.push(flow);
    (flow > 0 ? this.positive : this.negative).add(flow);
    (left > 0 ? this.positive : this.negative).add(-left);
    if (!this.flows.isFull) return;
    const inflow = this.positive.value;
    const total = inflow - this.negative.value;
    this.values[0] = total === 0 ? 50 : (100 * inflow) / total;
  }
}

export const mfi = {
  label: "MFI",
  fullName: "money flow",
  parameters: [period(14, 2)],
  outputs: ["value"],
  hasSource: false,
  lookBack: ([n]) => n + 1,
  create: ([n]) => new MoneyFlow(n),
  // Pine's own is undefined where no money flowed out, like where none flowed at all
  pine: (id, [n]) => [
    `${id}_step = hlc3 - hlc3[1]`,
    `${id}_gained = ${id}_step > 1e-12 * hlc3 ? hlc3 * volume : 0`,
    `${id}_lost = -${id}_step > 1e-12 * hlc3 ? hlc3 * volume : 0`,
    `${id}_in = sumOf(${id}_gained, ${n})`,
    `${id}_out = sumOf(${id}_lost, ${n})`,
    `${id} = ${id}_in + ${id}_out == 0 ? 50 : 100 * ${id}_in / (${id}_in + ${id}_out)`,
  ],
} as const satisfies Indicator;
