import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftPerpPosition } from "../../../venues/drift/layout-user.ts";
import type { MarginPosition } from "../../../venues/drift/margin.ts";

export const QUOTE_MARKET_INDEX = 0;

/** Returns the funding rate a position of this size pays by. */
export function fundingRateOf(market: DriftPerpMarket, baseSize: bigint): bigint {
  const { cumulativeFundingRateLong, cumulativeFundingRateShort } = market.amm;
  return baseSize < 0n ? cumulativeFundingRateShort : cumulativeFundingRateLong;
}

export function marginPositionOf(
  slot: DriftPerpPosition,
  market: DriftPerpMarket,
  oraclePrice: bigint,
): MarginPosition {
  return {
    baseSize: slot.baseAssetAmount,
    quoteAmount: slot.quoteAssetAmount,
    lastFundingRate: slot.lastCumulativeFundingRate,
    marketFundingRate: fundingRateOf(market, slot.baseAssetAmount),
    openBids: slot.openBids,
    openAsks: slot.openAsks,
    oraclePrice,
    marginRatioInitial: BigInt(market.marginRatioInitial),
    marginRatioMaintenance: BigInt(market.marginRatioMaintenance),
    imfFactor: BigInt(market.imfFactor),
    pnlWeightInitial: BigInt(market.unrealizedPnlInitialAssetWeight),
    pnlWeightMaintenance: BigInt(market.unrealizedPnlMaintenanceAssetWeight),
  };
}
