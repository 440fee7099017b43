import type { SpotAsset } from "./instance.ts";

/** Quote base units equal price units: both have six decimals. */
const whole = ({ decimals }: SpotAsset): bigint => 10n ** BigInt(decimals);

/** Returns what base units of an asset are worth in quote base units, rounded down. */
export function valueOf(asset: SpotAsset, baseSize: bigint, price: bigint): bigint {
  return (baseSize * price) / whole(asset);
}

/** Returns the base units of an asset that quote base units pay for, rounded down. */
export function baseFor(asset: SpotAsset, quoteSize: bigint, price: bigint): bigint {
  return (quoteSize * whole(asset)) / price;
}

/** Returns the price of an exchange of amounts, six decimals per whole asset, halves rounded up. */
export function priceOf(asset: SpotAsset, baseSize: bigint, quoteSize: bigint): bigint {
  return (2n * quoteSize * whole(asset) + baseSize) / (2n * baseSize);
}
