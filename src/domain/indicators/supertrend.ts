import { AverageTrueRange } from "./atr.ts";
import {
  CLOSE,
  HIGH,
  type Indicator,
  LOW,
  factor,
  period,
  wilder,
  withoutRounding,
} from "./indicator.ts";

/** Returns whether a price is above another one by more than rounding. */
const isBeyond = (price: number, other: number): boolean =>
  withoutRounding(price - other, price) > 0;

/** Supertrend: a trailing band of average true ranges around the middle of the bar; direction is 1 up and -1 down. */
export const supertrend = {
  label: "Supertrend",
  fullName: "trend line",
  parameters: [period(10), factor("multiple", 3)],
  outputs: ["line", "direction"],
  hasSource: false,
  // Its bands persist until a close breaks through, so it gets twice the warm-up of its range
  lookBack: ([n]) => 2 * wilder(n) + 1,
  smoothing: 4,
  pineFunctions: ["ta.supertrend"],
  create: ([n, multiple]) => {
    const range = new AverageTrueRange(n);
    const band = { lower: 0, upper: 0 };
    const before = { close: 0 };
    return (bar, values) => {
      const reach = multiple * range.push(bar);
      const close = bar[CLOSE] ?? 0;
      const closeBefore = before.close;
      before.close = close;
      if (Number.isNaN(reach)) return;
      const middle = ((bar[HIGH] ?? 0) + (bar[LOW] ?? 0)) / 2;
      const direction = values[1] ?? 0;
      const isFirst = Number.isNaN(direction);
      // A band only tightens until a close breaks through it
      if (isFirst || middle - reach > band.lower || isBeyond(band.lower, closeBefore)) {
        band.lower = middle - reach;
      }
      if (isFirst || middle + reach < band.upper || isBeyond(closeBefore, band.upper)) {
        band.upper = middle + reach;
      }
      const isUp =
        direction === 1 ? !isBeyond(band.lower, close) : !isFirst && isBeyond(close, band.upper);
      values[0] = isUp ? band.lower : band.upper;
      values[1] = isUp ? 1 : -1;
    };
  },
  // The direction of Pine has the opposite sign
  pine: (id, [n, multiple]) => [
    `[${id}_line, ${id}_pine] = ta.supertrend(${multiple}, ${n})`,
    `${id}_direction = -${id}_pine`,
  ],
} as const satisfies Indicator;
