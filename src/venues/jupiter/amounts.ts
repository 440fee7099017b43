import type { SpotAsset } from "./instance.ts";

/** Quote base units equal price units: both have six decimals. */
const whole = ({ decimals }: SpotAsset): bigint => 10n ** BigInt(decimals);

/** Returns the value of base units of an asset in quote base units, rounded down. */
export function valueOf(asset: SpotAsset, baseSize: bigint, price: bigint): bigint {
  return (baseSize * price) / whole(asset);
}

/** Returns the base units of an asset that an amount of quote base units buys, rounded down. */
export function baseFor(asset: SpotAsset, quoteSize: bigint, price: bigint): bigint {
  return (quoteSize * whole(asset)) / price;
}

/** Returns the price of a swap of two amounts, six decimals per whole asset, halves rounded up. */
export function priceOf(asset: SpotAsset, baseSize: bigint, quoteSize: bigint): bigint {
  return (2n * quoteSize * whole(asset) + baseSize) / (2n * baseSize);
}
