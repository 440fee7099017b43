import { max } from "./integers.ts";

/** Returns a rolling sum over a window after some time has passed; time without events counts as zero. */
export function rollingSum(sum: bigint, added: bigint, passed: bigint, window: bigint): bigint {
  return (sum * max(0n, window - passed)) / window + added;
}

/** Returns the weighted average of two prices, shifted by one unit towards the second. */
export function weightedAverage(
  one: bigint,
  other: bigint,
  weightOfOne: bigint,
  weightOfOther: bigint,
): bigint {
  if (weightOfOne === 0n) return other;
  if (weightOfOther === 0n) return one;
  const [first, second] = [one * weightOfOne, other * weightOfOther];
  const bias = weightOfOther <= 1n || first === second ? 0n : second < first ? -1n : 1n;
  const average = (first + second) / (weightOfOne + weightOfOther);
  return average === 0n && bias < 0n ? average : average + bias;
}

/** Returns a time-weighted average price over a period after a new observation `price`. */
export function newAverage(
  price: bigint,
  now: bigint,
  last: { readonly average: bigint; readonly at: bigint },
  period: bigint,
): bigint {
  const passed = max(0n, now - last.at);
  return weightedAverage(price, last.average, passed, max(1n, period - passed));
}
