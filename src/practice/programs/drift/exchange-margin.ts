import { tokenAmount } from "../../../venues/drift/balance.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftPerpPosition, DriftUser } from "../../../venues/drift/layout-user.ts";
import type { MarginAccount, MarginPosition } from "../../../venues/drift/margin.ts";
import type { ShownMarkets } from "./exchange-accounts.ts";
import { isUsedSlot } from "./user-slots.ts";

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

/** Reads all a user's margin depends on; every market of a position or open order must have been shown. */
export function marginAccountOf(user: DriftUser, markets: ShownMarkets): MarginAccount {
  const quote = markets.spot(QUOTE_MARKET_INDEX).value;
  return {
    deposit: user.spotPositions
      .filter(({ marketIndex }) => marketIndex === QUOTE_MARKET_INDEX)
      .reduce((sum, position) => sum + tokenAmount(position, quote), 0n),
    positions: user.perpPositions.filter(isUsedSlot).map((slot) => {
      const market = markets.perp(slot.marketIndex).value;
      return marginPositionOf(slot, market, markets.price(market).price);
    }),
    maxMarginRatio: BigInt(user.maxMarginRatio),
  };
}
