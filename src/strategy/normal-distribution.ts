/** Returns the cumulative standard normal distribution at a value, exact to about 1e-15. */
export function normalBelow(value: number): number {
  const half = Math.abs(value) / Math.SQRT2;
  const tail = complementaryError(half) / 2;
  return value < 0 ? tail : 1 - tail;
}

/** Returns the quantile of the standard normal distribution, by bisection. */
export function normalQuantile(share: number): number {
  let low = -40;
  let high = 40;
  for (let step = 0; step < 200 && high - low > 1e-14; step += 1) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Complementary error function: a power series near zero, a continued fraction (Lentz) further out. */
function complementaryError(x: number): number {
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 200; n += 1) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let n = 100; n > 0; n -= 1) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction));
}
