import { ExactSum, productError } from "./exact-sum.ts";
import { type Indicator, period } from "./indicator.ts";
import { NumberWindow } from "./window.ts";

/** A variance below this share of the squared mean is rounding, not movement. */
const ROUNDING_SHARE = 1e-28;

/** Mean and population standard deviation of a rolling window. */
export class RollingDeviation {
  mean = Number.NaN;
  private readonly window: NumberWindow;
  private readonly sum = new ExactSum();
  private readonly squares = new ExactSum();

  constructor(period: number) {
    this.window = new NumberWindow(period);
  }

  push(item: number): number {
    const left = this.window.push(item);
    this.sum.add(item);
    this.sum.add(-left);
    this.squares.addProduct(item, item);
    this.squares.addProduct(-left, left);
    if (!this.window.isFull) return Number.NaN;
    const count = this.window.length;
    const sum = this.sum.value;
    this.mean = sum / count;
    // count² × variance = count × Σx² − (Σx)², in double-double precision because the two terms nearly cancel
    const squares = this.squares.value;
    const first = count * squares;
    const second = sum * sum;
    const firstError = productError(count, squares, first) + count * this.squares.error;
    const secondError = productError(sum, sum, second) + 2 * sum * this.sum.error;
    const difference = first - second + (firstError - secondError);
    return difference <= first * ROUNDING_SHARE ? 0 : Math.sqrt(difference) / count;
  }
}

/** Population standard deviation of one price. */
export const stddev = {
  label: "StdDev",
  fullName: "deviation",
  parameters: [period(20, 2)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => n,
  pineFunctions: ["ta.stdev"],
  create: ([n], source) => {
    const deviation = new RollingDeviation(n);
    return (bar, values) => {
      values[0] = deviation.push(bar[source] ?? 0);
    };
  },
  pine: (id, [n], source) => [`${id} = ta.stdev(${source}, ${n})`],
} as const satisfies Indicator;
