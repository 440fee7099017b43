/** Splits a double into two halves of 26 bits whose products are exact. Dekker, 1971. */
const SPLITTER = 2 ** 27 + 1;

/** Returns what the rounded product of two numbers lacks of the exact one. */
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
 * A running sum that carries its rounding error along (Knuth's two-sum).
 *
 * What leaves a window leaves nothing behind: the sum depends on what is in the window only, never on where the
 * bars began, so every machine has the same one.
 */
export class ExactSum {
  private high = 0;
  private low = 0;

  /** The sum, rounded once. */
  get value(): number {
    return this.high + this.low;
  }

  /** What `value` lacks of the exact sum. */
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
