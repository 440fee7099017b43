import type { MarketPrice } from "../ports.ts";
import { lazerPriceLayout, priceUpdateLayout } from "./layout-oracle.ts";
import { ORACLE_SOURCE } from "./layout-spot-market.ts";

const PRICE_DECIMALS = 6;

/** Assets per quoted unit: 1K and 1M feeds quote a thousand or a million tokens. */
const ASSETS_PER_UNIT: ReadonlyMap<number, bigint> = new Map([
  [ORACLE_SOURCE.pythPull, 1n],
  [ORACLE_SOURCE.pyth1kPull, 1_000n],
  [ORACLE_SOURCE.pyth1mPull, 1_000_000n],
  [ORACLE_SOURCE.pythLazer, 1n],
  [ORACLE_SOURCE.pythLazer1k, 1_000n],
  [ORACLE_SOURCE.pythLazer1m, 1_000_000n],
]);

interface Published {
  readonly price: bigint;
  readonly conf: bigint;
  readonly exponent: number;
  readonly publishedAtMs: bigint;
  readonly postedSlot: bigint;
}

/** A price with the slot its account was written at, from which the exchange computes its age. */
export type OraclePrice = MarketPrice & { readonly postedSlot: bigint };

function scale(value: bigint, exponent: number): bigint {
  const shift = PRICE_DECIMALS + exponent;
  return shift >= 0 ? value * 10n ** BigInt(shift) : value / 10n ** BigInt(-shift);
}

function readPublished(data: Uint8Array, source: number): Published | null {
  const isLazer = source >= ORACLE_SOURCE.pythLazer;
  if (isLazer && lazerPriceLayout.matches(data)) {
    const update = lazerPriceLayout.decode(data);
    return { ...update, publishedAtMs: update.publishTime / 1_000n };
  }
  if (!isLazer && priceUpdateLayout.matches(data)) {
    const update = priceUpdateLayout.decode(data);
    return { ...update, publishedAtMs: update.publishTime * 1_000n };
  }
  return null;
}

/**
 * Decodes an oracle account to quote units with six decimals. `source` is the market's: pulled Pyth prices and Pyth
 * Lazer.
 *
 * Throws on every other source, on an account of another type, and on a price that is not positive.
 */
export function readMarketPrice(data: Uint8Array, source: number): OraclePrice {
  const assets = ASSETS_PER_UNIT.get(source);
  const published = assets === undefined ? null : readPublished(data, source);
  if (assets === undefined || published === null) {
    throw new Error(`The oracle account is of an unknown kind (source ${source})`);
  }
  const price = scale(published.price * assets, published.exponent);
  if (price <= 0n) throw new Error("The oracle holds no positive price");
  return {
    price,
    confidence: scale(published.conf * assets, published.exponent),
    // oxlint-disable-next-line house/no-float-money -- a time, not money
    publishedAtMs: Number(published.publishedAtMs),
    postedSlot: published.postedSlot,
  };
}
