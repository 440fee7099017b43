import { AverageTrueRange } from "./atr.ts";
import {
  type BarFigures,
  CLOSE,
  HIGH,
  type Indicator,
  LOW,
  type StreamingIndicator,
  factor,
  period,
  wilder,
  withoutRounding,
} from "./indicator.ts";

/** Supertrend: a trailing band of average true ranges around the middle of the bar; direction is 1 up and -1 down. */
class Supertrend implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN, Number.NaN]);
  private readonly atr: AverageTrueRange;
  private readonly multiple: number;
  private lower = 0;
  private upper = 0;
  private closeBefore = 0;

  constructor(period: number, multiple: number) {
    this.atr = new AverageTrueRange(period);
    this.multiple = multiple;
  }

  next(bar: BarFigures): void {
    this.atr.next(bar);
    const close = bar[CLOSE] ?? 0;
    const before = this.closeBefore;
    this.closeBefore = close;
    const reach = this.multiple * (this.atr.values[0] ?? 0);
    if (Number.isNaN(reach)) return;
    const middle = ((bar[HIGH] ?? 0) + (bar[LOW] ?? 0)) / 2;
    const direction = this.values[1] ?? 0;
    const isFirst = Number.isNaN(direction);
    // A band only tightens until a close breaks through it
    if (isFirst || middle - reach > this.lower || isBeyond(this.lower, before)) {
      this.lower = middle - reach;
    }
    if (isFirst || middle + reach < this.upper || isBeyond(before, this.upper)) {
      this.upper = middle + reach;
    }
    const isUp =
      direction === 1 ? !isBeyond(this.lower, close) : !isFirst && isBeyond(close, this.upper);
    this.values[0] = isUp ? this.lower : this.upper;
    this.values[1] = isUp ? 1 : -1;
  }
}

/** Returns whether a price is above another one by more than rounding. */
const isBeyond = (price: number, other: number): boolean =>
  withoutRounding(price - other, price) > 0;

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
  create: ([n, multiple]) => new Supertrend(n, multiple),
  // The direction of Pine has the opposite sign
  pine: (id, [n, multiple]) => [
    `[${id}_line, ${id}_pine] = ta.supertrend(${multiple}, ${n})`,
    `${id}_direction = -${id}_pine`,
  ],
} as const satisfies Indicator;
