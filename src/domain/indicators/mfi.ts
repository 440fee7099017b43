import { NumberWindow, ExactSum } from "./window.ts";
import { type Indicator, VOLUME, period, typicalPrice, withoutRounding } from "./indicator.ts";

/** Money flow index; 100 while no money flowed out, 50 while none flowed at all. */
export const mfi = {
  label: "MFI",
  fullName: "money flow",
  parameters: [period(14, 2)],
  outputs: ["value"],
  hasSource: false,
  lookBack: ([n]) => n + 1,
  create: ([n]) => {
    const flows = new NumberWindow(n);
    const positive = new ExactSum();
    const negative = new ExactSum();
    const before = { price: Number.NaN };
    return (bar, values) => {
      const price = typicalPrice(bar);
      const change = withoutRounding(price - before.price, price);
      before.price = price;
      if (Number.isNaN(change)) return;
      const flow = Math.sign(change) * price * (bar[VOLUME] ?? 0);
      const left = flows.push(flow);
      (flow > 0 ? positive : negative).add(flow);
      (left > 0 ? positive : negative).add(-left);
      if (!flows.isFull) return;
      const inflow = positive.value;
      const total = inflow - negative.value;
      values[0] = total === 0 ? 50 : (100 * inflow) / total;
    };
  },
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
