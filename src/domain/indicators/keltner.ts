import { ExponentialAverage } from "./averages.ts";
import { AverageTrueRange } from "./atr.ts";
import { CLOSE, type Indicator, factor, period, whole, wilder } from "./indicator.ts";

/** Keltner Channels: an EMA of the close with bands of average true ranges. */
export const keltner = {
  label: "Keltner",
  fullName: "channel",
  parameters: [period(20, 2), factor("multiple", 2), whole("ATR period", 10)],
  outputs: ["upper", "middle", "lower"],
  hasSource: false,
  lookBack: ([n, , atrPeriod]) => Math.max(n, wilder(atrPeriod) + 1),
  smoothing: 2,
  create: ([n, multiple, atrPeriod]) => {
    const average = new ExponentialAverage(n);
    const range = new AverageTrueRange(atrPeriod);
    return (bar, values) => {
      const middle = average.push(bar[CLOSE] ?? 0);
      const reach = multiple * range.push(bar);
      values[0] = middle + reach;
      values[1] = middle;
      values[2] = middle - reach;
    };
  },
  pine: (id, [n, multiple, atrPeriod]) => [
    `${id}_middle = ta.ema(close, ${n})`,
    `${id}_reach = ${multiple} * ta.atr(${atrPeriod})`,
    `${id}_upper = ${id}_middle + ${id}_reach`,
    `${id}_lower = ${id}_middle - ${id}_reach`,
  ],
} as const satisfies Indicator;
