import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { type Address, address } from "@solana/kit";
import { toSafeNumber } from "../domain/amount.ts";
import { PRICE_DECIMALS } from "../domain/market.ts";
import { deriveAddress } from "../solana/encoding/pda.ts";
import { FULLY_VERIFIED, priceUpdateLayout } from "../solana/programs/pyth-receiver.ts";
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
export const PYTH_FEEDS = {
  SOL: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
  BTC: "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43",
  ETH: "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace",
  JUP: "0a0408d619e9380abad35060f9192039ed5042fa6f82301d0e48bb52be830996",
} as const satisfies Readonly<Record<string, string>>;

/** The program whose accounts are Pyth's sponsored feeds. */
const PYTH_PUSH_ORACLE = address("pythWSnswVUd12oZpeFP8e9CVaEqJg25g1Vtc2biRsT");

/** Shard of the feeds that Pyth itself keeps. */
const SPONSORED = new Uint8Array(2);

/** Returns the account of a sponsored feed. */
export const pythFeedAccount = (feedId: string): Address =>
  deriveAddress(PYTH_PUSH_ORACLE, [SPONSORED, hexToBytes(feedId)]).address;

/** Returns the price of a feed's account in the form of Pyth's price service, or why it is none. */
export function readPriceUpdate(data: Uint8Array, feedId: string): PythPrice | string {
  if (data.length < priceUpdateLayout.size || !priceUpdateLayout.matches(data)) {
    return "The account holds no price";
  }
  const update = priceUpdateLayout.decode(data);
  if (update.verificationLevel !== FULLY_VERIFIED) return "The price is not fully verified";
  if (bytesToHex(new Uint8Array(update.feedId)) !== feedId) return "The account is of another feed";
  return {
    price: String(update.price),
    conf: String(update.conf),
    expo: update.exponent,
    publish_time: toSafeNumber(update.publishTime),
  };
}
