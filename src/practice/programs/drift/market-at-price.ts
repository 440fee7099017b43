import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { ChainTime } from "../../runtime/program.ts";
import { updateSpreads } from "./curve.ts";

/**
 * Returns a market as its keepers would have left it at a price now: the curve's middle at the price, and every average
 * equal to it.
 */
export function marketAtPrice(
  market: DriftPerpMarket,
  price: bigint,
  { slot, unixTime }: ChainTime,
): DriftPerpMarket {
  const { amm: last } = market;
  const amm = {
    ...last,
    pegMultiplier: (price * last.baseAssetReserve) / last.quoteAssetReserve,
    historicalOracleData: {
      ...last.historicalOracleData,
      lastOraclePrice: price,
      lastOraclePriceTwap: price,
      lastOraclePriceTwap5min: price,
      lastOraclePriceTwapTs: unixTime,
    },
    lastOracleNormalisedPrice: price,
    lastBidPriceTwap: price,
    lastAskPriceTwap: price,
    lastMarkPriceTwap: price,
    lastMarkPriceTwap5min: price,
    lastMarkPriceTwapTs: unixTime,
    lastUpdateSlot: slot,
    lastOracleValid: true,
  };
  updateSpreads(amm);
  return { ...market, amm };
}
