import { baseFor, valueOf } from "../../../venues/jupiter/amounts.ts";
import type { SpotAsset } from "../../../venues/jupiter/instance.ts";

/** Half of the pool's spread around the market price, in millionths. */
const HALF_SPREAD_PPM = 500n;

const PPM = 1_000_000n;

/**
 * Returns the pool's output for an input at a market price, both in base units, rounded in the pool's favour. The price
 * has six decimals; 0 without a price.
 */
export function quoteSwap(asset: SpotAsset, isBuy: boolean, amount: bigint, price: bigint): bigint {
  if (price <= 0n) return 0n;
  const distance = (price * HALF_SPREAD_PPM + PPM - 1n) / PPM;
  return isBuy
    ? baseFor(asset, amount, price + distance)
    : valueOf(asset, amount, price - distance);
}
