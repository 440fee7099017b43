import { type Indicator, factor, period } from "./indicator.ts";
import { RollingDeviation } from "./window.ts";

/** Bollinger Bands; the width is in percent of the middle. */
export const bb = {
  label: "Bollinger",
  fullName: "bands",
  parameters: [period(20, 2), factor("deviations", 2)],
  outputs: ["upper", "middle", "lower", "width"],
  hasSource: true,
  lookBack: ([n]) => n,
  pineFunctions: ["ta.bb"],
  create: ([n, deviations], source) => {
    const deviation = new RollingDeviation(n);
    return (bar, values) => {
      const reach = deviations * deviation.push(bar[source] ?? 0);
      const middle = deviation.mean;
      values[0] = middle + reach;
      values[1] = middle;
      values[2] = middle - reach;
      values[3] = (200 * reach) / middle;
    };
  },
  pine: (id, [n, deviations], source) => [
    `[${id}_middle, ${id}_upper, ${id}_lower] = ta.bb(${source}, ${n}, ${deviations})`,
    `${id}_width = 100 * (${id}_upper - ${id}_lower) / ${id}_middle`,
  ],
} as const satisfies Indicator;
