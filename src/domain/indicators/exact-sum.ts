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
