import { PRICE_DECIMALS } from "../domain/market.ts";
import type { MarketPrice } from "./ports.ts";

interface PythPrice {
  readonly price?: unknown;
  readonly conf?: unknown;
  readonly expo?: unknown;
  readonly publish_time?: unknown;
}

/** Returns a figure of `digits × 10^exponent` with six decimals, rounded down; null for invalid input. */
function toPriceUnits(digits: unknown, exponent: number): bigint | null {
  if (typeof digits !== "string" || !/^\d{1,20}$/.test(digits)) return null;
  const shift = exponent + PRICE_DECIMALS;
  const value = BigInt(digits);
  return shift >= 0 ? value * 10n ** BigInt(shift) : value / 10n ** BigInt(-shift);
}

/** Parses one feed's price, or returns null when it is malformed or not positive. */
export function parsePythPrice(given: unknown): MarketPrice | null {
  const found = given as PythPrice | null | undefined;
  const expo = found?.expo;
  const publishedAt = found?.publish_time;
  if (typeof expo !== "number" || !Number.isInteger(expo) || Math.abs(expo) > 18) return null;
  if (typeof publishedAt !== "number" || !Number.isSafeInteger(publishedAt)) return null;
  const price = toPriceUnits(found?.price, expo);
  const confidence = toPriceUnits(found?.conf, expo);
  if (price === null || confidence === null || price === 0n) return null;
  return { price, confidence, publishedAtMs: publishedAt * 1_000 };
}

/** Ids of Pyth's feeds against the dollar. Stocks have none here yet, so they are not traded on a real network. */
export const PYTH_FEEDS: Readonly<Record<string, string>> = {
  SOL: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
  BTC: "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43",
  ETH: "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace",
  JUP: "0a0408d619e9380abad35060f9192039ed5042fa6f82301d0e48bb52be830996",
};
