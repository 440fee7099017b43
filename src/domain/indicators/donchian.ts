import { HIGH, type Indicator, LOW, period } from "./indicator.ts";
import { RollingMaximum } from "./window.ts";

/** Highest high and lowest low of the last bars, including the current one. */
export const donchian = {
  label: "Donchian",
  fullName: "channel",
  parameters: [period(20)],
  outputs: ["high", "low"],
  hasSource: false,
  lookBack: ([n]) => n,
  pineFunctions: ["ta.highest", "ta.lowest"],
  create: ([n]) => {
    const highest = new RollingMaximum(n);
    const lowest = new RollingMaximum(n);
    return (bar, values) => {
      const high = highest.push(bar[HIGH] ?? 0);
      const low = -lowest.push(-(bar[LOW] ?? 0));
      if (!highest.isFull) return;
      values[0] = high;
      values[1] = low;
    };
  },
  pine: (id, [n]) => [`${id}_high = ta.highest(high, ${n})`, `${id}_low = ta.lowest(low, ${n})`],
} as const satisfies Indicator;
