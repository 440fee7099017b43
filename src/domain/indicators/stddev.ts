import { ExactSum, productError } from "./exact-sum.ts";
import { type BarFigures, type Indicator, type StreamingIndicator, period } from "./indicator.ts";
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
class StandardDeviation implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly deviation: RollingDeviation;
  private readonly source: number;

  constructor(period: number, source: number) {
    this.deviation = new RollingDeviation(period);
    this.source = source;
  }

  next(bar: BarFigures): void {
    this.values[0] = this.deviation.push(bar[this.source] ?? 0);
  }
}

export const stddev = {
  label: "StdDev",
  fullName: "deviation",
  parameters: [period(20, 2)],
  outputs: ["value"],
  hasSource: true,
  lookBack: ([n]) => n,
  pineFunctions: ["ta.stdev"],
  create: ([n], source) => new StandardDeviation(n, source),
  pine: (id, [n], source) => [`${id} = ta.stdev(${source}, ${n})`],
} as const satisfies Indicator;
