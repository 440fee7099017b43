import { NumberWindow, ExactSum } from "./window.ts";
import { type Indicator, period, typicalPrice, withoutRounding } from "./indicator.ts";

/** Lambert's commodity channel index; 0 where all prices in the window are equal. The work grows with the period. */
export const cci = {
  label: "CCI",
  fullName: "commodity channel",
  parameters: [period(20, 2)],
  outputs: ["value"],
  hasSource: false,
  lookBack: ([n]) => n,
  pineFunctions: ["ta.cci"],
  create: ([n]) => {
    const window = new NumberWindow(n);
    const sum = new ExactSum();
    return (bar, values) => {
      const price = typicalPrice(bar);
      sum.add(price);
      sum.add(-window.push(price));
      if (!window.isFull) return;
      const mean = sum.value / n;
      const distance = window.distanceFrom(mean) / n;
      // The mean of equal prices may be off by its last bit
      const isFlat = distance <= Math.abs(mean) * 1e-14;
      values[0] = isFlat ? 0 : withoutRounding(price - mean, price) / (0.015 * distance);
    };
  },
  pine: (id, [n]) => [`${id} = nz(ta.cci(hlc3, ${n}), 0)`],
} as const satisfies Indicator;
