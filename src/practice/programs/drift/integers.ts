import { demand } from "./exchange-failures.ts";

/** The program's integer arithmetic: divisions truncate towards zero, and results outside their type are refused. */

export const abs = (value: bigint): bigint => (value < 0n ? -value : value);
export const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);
export const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

export function clamp(value: bigint, least: bigint, most: bigint): bigint {
  return max(least, min(most, value));
}

/** Divides positive numbers, rounding up. */
export function divideUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}

/** Returns the largest integer whose power does not exceed the value. */
export function wholeRoot(value: bigint, degree: 2n | 4n): bigint {
  if (value < 2n) return value;
  let guess = 1n << (BigInt(value.toString(2).length) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
}

const U64_END = 1n << 64n;
const I64_END = 1n << 63n;

/** Casts to an unsigned 64-bit number. Refuses with `CastingFailure`. */
export function toU64(value: bigint): bigint {
  demand(value >= 0n && value < U64_END, "CastingFailure");
  return value;
}

/** Casts to a signed 64-bit number. Refuses with `CastingFailure`. */
export function toI64(value: bigint): bigint {
  demand(value >= -I64_END && value < I64_END, "CastingFailure");
  return value;
}

/** Returns the result if it fits an unsigned 64-bit number. Refuses with `MathError`. */
export function fitsU64(value: bigint): bigint {
  demand(value >= 0n && value < U64_END, "MathError");
  return value;
}

/** Returns the result if it fits a signed 64-bit number. Refuses with `MathError`. */
export function fitsI64(value: bigint): bigint {
  demand(value >= -I64_END && value < I64_END, "MathError");
  return value;
}
