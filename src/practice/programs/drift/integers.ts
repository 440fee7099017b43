import { demand } from "./exchange-failures.ts";

/** The program's whole-number arithmetic: divisions cut towards zero, and what does not fit its type is refused. */

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

/** Returns the largest whole number whose power is not above the value. */
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

/** Returns a number that becomes an unsigned 64-bit one. Refuses with `CastingFailure`. */
export function toU64(value: bigint): bigint {
  demand(value >= 0n && value < U64_END, "CastingFailure");
  return value;
}

/** Returns a number that becomes a signed 64-bit one. Refuses with `CastingFailure`. */
export function toI64(value: bigint): bigint {
  demand(value >= -I64_END && value < I64_END, "CastingFailure");
  return value;
}

/** Returns an unsigned 64-bit result. Refuses with `MathError`. */
export function fitsU64(value: bigint): bigint {
  demand(value >= 0n && value < U64_END, "MathError");
  return value;
}

/** Returns a signed 64-bit result. Refuses with `MathError`. */
export function fitsI64(value: bigint): bigint {
  demand(value >= -I64_END && value < I64_END, "MathError");
  return value;
}
