import { ExponentialAverage } from "./averages.ts";
import { type Indicator, whole } from "./indicator.ts";

/** MACD: the line, its EMA as the signal, and their difference. */
export const macd = {
  label: "MACD",
  fullName: "average difference",
  parameters: [whole("fast", 12), whole("slow", 26, 2), whole("signal", 9)],
  outputs: ["line", "signal", "histogram"],
  hasSource: true,
  lookBack: ([, slow, signal]) => slow + signal,
  fault: ([fast, slow]) => (fast >= slow ? "MACD: fast has to be shorter than slow." : null),
  pineFunctions: ["ta.macd"],
  create: ([fast, slow, signal], source) => {
    const fastAverage = new ExponentialAverage(fast);
    const slowAverage = new ExponentialAverage(slow);
    const signalAverage = new ExponentialAverage(signal);
    return (bar, values) => {
      const price = bar[source] ?? 0;
      const line = fastAverage.push(price) - slowAverage.push(price);
      if (Number.isNaN(line)) return;
      const smoothed = signalAverage.push(line);
      values[0] = line;
      values[1] = smoothed;
      values[2] = line - smoothed;
    };
  },
  pine: (id, [fast, slow, signal], source) => [
    `[${id}_line, ${id}_signal, ${id}_histogram] = ta.macd(${source}, ${fast}, ${slow}, ${signal})`,
  ],
} as const satisfies Indicator;
