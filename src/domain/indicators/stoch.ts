import { SimpleAverage } from "./averages.ts";
import { CLOSE, HIGH, type Indicator, LOW, whole } from "./indicator.ts";
import { RollingMaximum } from "./window.ts";

/** Stochastic oscillator; 50 where the window has no range. */
export const stoch = {
  label: "Stochastic",
  fullName: "oscillator",
  parameters: [whole("length", 14), whole("smooth K", 1, 1, 50), whole("smooth D", 3, 1, 50)],
  outputs: ["k", "d"],
  hasSource: false,
  lookBack: ([length, smoothK, smoothD]) => length + smoothK + smoothD,
  pineFunctions: ["ta.stoch"],
  create: ([length, smoothK, smoothD]) => {
    const highest = new RollingMaximum(length);
    const lowest = new RollingMaximum(length);
    const kAverage = new SimpleAverage(smoothK);
    const dAverage = new SimpleAverage(smoothD);
    return (bar, values) => {
      const high = highest.push(bar[HIGH] ?? 0);
      const low = -lowest.push(-(bar[LOW] ?? 0));
      if (!highest.isFull) return;
      const k = kAverage.push(high === low ? 50 : (100 * ((bar[CLOSE] ?? 0) - low)) / (high - low));
      values[0] = k;
      if (!Number.isNaN(k)) values[1] = dAverage.push(k);
    };
  },
  pine: (id, [n, smoothK, smoothD]) => [
    `${id}_k = ta.sma(nz(ta.stoch(close, high, low, ${n}), 50), ${smoothK})`,
    `${id}_d = ta.sma(${id}_k, ${smoothD})`,
  ],
} as const satisfies Indicator;
