import { type Indicator, period } from "./indicator.ts";

/** The last `length` numbers. */
export class NumberWindow {
  readonly length: number;
  private readonly items: Float64Array;
  private at = 0;
  private seen = 0;

  constructor(length: number) {
    this.length = length;
    this.items = new Float64Array(length);
  }

  get isFull(): boolean {
    return this.seen === this.length;
  }

  /** Adds the newest number and returns the one that leaves the window; 0 while the window fills. */
  push(item: number): number {
    const left = this.items[this.at] ?? 0;
    this.items[this.at] = item;
    this.at = this.at + 1 === this.length ? 0 : this.at + 1;
    if (this.seen < this.length) this.seen += 1;
    return left;
  }

  /** Returns the sum of the absolute distances from a middle. */
  distanceFrom(middle: number): number {
    let sum = 0;
    // Starts with the oldest number so that the order of rounding does not depend on the position in the ring buffer
    for (let index = this.at; index < this.length; index += 1) {
      sum += Math.abs((this.items[index] ?? 0) - middle);
    }
    for (let index = 0; index < this.at; index += 1) {
      sum += Math.abs((this.items[index] ?? 0) - middle);
    }
    return sum;
  }
}

/** Maximum of the last `length` numbers; amortised constant work per number. */
export class RollingMaximum {
  private readonly length: number;
  private readonly items: Float64Array;
  private readonly times: Float64Array;
  private first = 0;
  private count = 0;
  private time = 0;

  constructor(length: number) {
    this.length = length;
    this.items = new Float64Array(length);
    this.times = new Float64Array(length);
  }

  get isFull(): boolean {
    return this.time >= this.length;
  }

  /** Adds the newest number and returns the maximum of the window. */
  push(item: number): number {
    const { items, times, length } = this;
    if (this.count > 0 && (times[this.first] ?? 0) <= this.time - length) {
      this.first = this.first + 1 === length ? 0 : this.first + 1;
      this.count -= 1;
    }
    // A number that is not above a newer one can never become the maximum
    while (this.count > 0 && (items[(this.first + this.count - 1) % length] ?? 0) <= item) {
      this.count -= 1;
    }
    const last = (this.first + this.count) % length;
    items[last] = item;
    times[last] = this.time;
    this.count += 1;
    this.time += 1;
    return items[this.first] ?? 0;
  }
}

/** Splits a double into two halves of 26 bits whose products are exact. Dekker, 1971. */
const SPLITTER = 2 ** 27 + 1;

/** Returns the rounding error of the product of two numbers: the exact product less the rounded one. */
export function productError(a: number, b: number, rounded: number): number {
  const bigA = SPLITTER * a;
  const highA = bigA - (bigA - a);
  const lowA = a - highA;
  const bigB = SPLITTER * b;
  const highB = bigB - (bigB - b);
  const lowB = b - highB;
  return lowA * lowB - (rounded - highA * highB - lowA * highB - highA * lowB);
}

/**
 * A running sum with error compensation (Knuth's two-sum).
 *
 * A number that leaves the window leaves no residue: the sum depends only on the window's content, never on the first
 * bar, so every machine computes the same sum.
 */
export class ExactSum {
  private high = 0;
  private low = 0;

  /** The sum, rounded once. */
  get value(): number {
    return this.high + this.low;
  }

  /** Rounding error of `value`: the exact sum less `value`. */
  get error(): number {
    return this.high - (this.high + this.low) + this.low;
  }

  add(term: number): void {
    const sum = this.high + term;
    const kept = sum - this.high;
    this.low += this.high - (sum - kept) + (term - kept);
    this.high = sum;
  }

  addProduct(a: number, b: number): void {
    const product = a * b;
    this.add(product);
    this.low += productError(a, b, product);
  }
}

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
