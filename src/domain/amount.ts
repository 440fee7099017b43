/** Largest amount a token account can hold: an unsigned 64-bit integer. */
export const MAX_AMOUNT = 2n ** 64n - 1n;

/** Rounding of an integer division. `half_up` rounds halves away from zero. */
export type Rounding = "down" | "up" | "half_up";

/**
 * Returns the value as an amount in base units.
 *
 * Throws on everything that is not a whole number from 0 to `MAX_AMOUNT`, so that a bad number never reaches a trade.
 */
export function amountOf(value: bigint | number | string): bigint {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new RangeError(`Not a safe whole number: ${value}`);
  }
  if (typeof value === "string" && !/^\d+$/.test(value)) {
    throw new RangeError("Not a whole number in decimal digits");
  }
  const amount = BigInt(value);
  if (amount < 0n || amount > MAX_AMOUNT) throw new RangeError(`Not an amount: ${amount}`);
  return amount;
}

/**
 * Returns decimal text as base units, exactly: `8.2` with six decimals is 8200000.
 *
 * Null when the text is not plain digits with at most one point, has more places than the token, or exceeds
 * `MAX_AMOUNT`. Zeros beyond the token's places are exact and accepted.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = /^(\d*)(?:\.(\d*))?$/.exec(text);
  const whole = match?.[1] ?? "";
  const fraction = match?.[2] ?? "";
  if (match === null || (whole === "" && fraction === "") || text.length > 100) return null;
  if (/[1-9]/.test(fraction.slice(decimals))) return null;
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  return units > MAX_AMOUNT ? null : units;
}

/** Returns base units as the shortest exact decimal text: 8200000 with six decimals is `8.2`. */
export function formatDecimal(units: bigint, decimals: number): string {
  const { sign, whole, fraction } = splitUnits(units, decimals);
  const shortest = fraction.replace(/0+$/, "");
  return shortest === "" ? `${sign}${whole}` : `${sign}${whole}.${shortest}`;
}

/** Returns base units as text with exactly `places` decimal places, halves rounded away from zero, never `-0.00`. */
export function formatFixed(units: bigint, decimals: number, places: number): string {
  const rounded =
    places >= decimals
      ? units * 10n ** BigInt(places - decimals)
      : mulDiv(units, 1n, 10n ** BigInt(decimals - places), "half_up");
  const { sign, whole, fraction } = splitUnits(rounded, places);
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

function splitUnits(units: bigint, decimals: number) {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return {
    sign: units < 0n ? "-" : "",
    whole: digits.slice(0, point),
    fraction: digits.slice(point),
  };
}

/** Returns `a * b / divisor`, rounded by magnitude: `down` is towards zero, `up` away from it. */
export function mulDiv(a: bigint, b: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor <= 0n) throw new RangeError("The divisor must be positive");
  const product = a * b;
  const magnitude = product < 0n ? -product : product;
  const quotient = magnitude / divisor;
  const rest = magnitude % divisor;
  const roundsUp =
    rest > 0n && (rounding === "up" || (rounding === "half_up" && rest * 2n >= divisor));
  const rounded = roundsUp ? quotient + 1n : quotient;
  return product < 0n ? -rounded : rounded;
}

/** Returns the integer as a number, and throws where a number could not hold it exactly. */
export function toSafeNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`Too large for a number: ${value}`);
  return number;
}

/** Returns `part / whole` as a floating-point ratio; for display, not for amounts of money. */
export function ratioOf(part: bigint, whole: bigint): number {
  if (whole === 0n) throw new RangeError("Nothing has no share");
  return Number(part) / Number(whole);
}
