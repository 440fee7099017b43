import { type Indicator, period } from "./indicator.ts";
import { NumberWindow } from "./window.ts";

/** Rate of change in percent. */
export const roc = {
  label: "ROC",
  fullName: "rate of change",
  parameters: [period(9)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => n + 1,
  pineFunctions: ["ta.roc"],
  create: ([n], source) => {
    const window = new NumberWindow(n);
    return (bar, values) => {
      const price = bar[source] ?? 0;
      const hadAll = window.isFull;
      const before = window.push(price);
      if (hadAll) values[0] = before === 0 ? Number.NaN : (100 * (price - before)) / before;
    };
  },
  pine: (id, [n], source) => [`${id} = ta.roc(${source}, ${n})`],
} as const satisfies Indicator;
