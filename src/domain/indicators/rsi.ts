import { WilderAverage } from "./averages.ts";
import { type Indicator, period, wilder } from "./indicator.ts";

/** Wilder's relative strength index; 100 while no close fell. */
export const rsi = {
  label: "RSI",
  fullName: "relative strength",
  parameters: [period(14, 2)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => wilder(n) + 1,
  smoothing: 2,
  pineFunctions: ["ta.rsi"],
  create: ([n], source) => {
    const gains = new WilderAverage(n);
    const losses = new WilderAverage(n);
    const before = { price: Number.NaN };
    return (bar, values) => {
      const price = bar[source] ?? 0;
      const change = price - before.price;
      before.price = price;
      if (Number.isNaN(change)) return;
      const gain = gains.push(change > 0 ? change : 0);
      const loss = losses.push(change < 0 ? -change : 0);
      values[0] = loss === 0 ? 100 : (100 * gain) / (gain + loss);
    };
  },
  pine: (id, [n], source) => [`${id} = ta.rsi(${source}, ${n})`],
} as const satisfies Indicator;
