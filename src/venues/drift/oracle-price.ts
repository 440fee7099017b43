import type { MarketPrice } from "../venue.ts";
import { type PriceUpdate, priceUpdateLayout } from "./layout-oracle.ts";

const PRICE_DECIMALS = 6;

function scale(value: bigint, exponent: number): bigint {
  const shift = PRICE_DECIMALS + exponent;
  return shift >= 0 ? value * 10n ** BigInt(shift) : value / 10n ** BigInt(-shift);
}

/** Returns a pulled price in quote units with six decimals. Throws when it is not positive: there is no such price. */
export function marketPriceOf(update: PriceUpdate): MarketPrice {
  const price = scale(update.price, update.exponent);
  if (price <= 0n) throw new Error("The oracle holds no positive price");
  return {
    price,
    confidence: scale(update.conf, update.exponent),
    // oxlint-disable-next-line house/no-float-money -- a time, not money
    publishedAtMs: Number(update.publishTime) * 1000,
  };
}

/** Reads an oracle account. Throws on sources other than a pulled Pyth price. */
export function readMarketPrice(data: Uint8Array): MarketPrice {
  if (!priceUpdateLayout.matches(data)) throw new Error("The oracle account is of an unknown kind");
  return marketPriceOf(priceUpdateLayout.decode(data));
}
