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
