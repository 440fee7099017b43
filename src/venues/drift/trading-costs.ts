import { toSafeNumber } from "../../domain/amount.ts";
import { PERP_BASE_DECIMALS } from "./profile.ts";
import type { KnownTradingCosts } from "../../domain/trading-costs.ts";
import type { ExchangeReading, MarketReading } from "./exchange-reader.ts";

const MILLION = 1_000_000n;

/** Order size that the price impact refers to, in quote units with six decimals. */
const IMPACT_ORDER = 10_000n * MILLION;

/** Hourly funding rates have nine decimals of quote per base asset, prices have six. */
const RATE_PER_PRICE = 1_000n;
const HOURS_PER_DAY = 24n;

/** Returns the present trading costs of a market from the exchange's accounts. */
export function tradingCostsFrom(
  { state }: Pick<ExchangeReading, "state">,
  { market, price: { price } }: MarketReading,
): KnownTradingCosts {
  const { amm } = market;
  const tier = state.perpFeeStructure.feeTiers[0];
  if (tier === undefined) throw new Error("The exchange has no fee tier");
  const fee = (BigInt(tier.feeNumerator) * MILLION) / BigInt(tier.feeDenominator);
  // The market's own adjustment of every fee, in percent
  const adjusted = (fee * (100n + BigInt(market.feeAdjustment))) / 100n;
  const { baseAssetReserve, orderStepSize, minOrderSize, last24hAvgFundingRate } = amm;
  const base = (IMPACT_ORDER * 10n ** BigInt(PERP_BASE_DECIMALS)) / price;
  const impact = baseAssetReserve > 0n ? (base * MILLION) / baseAssetReserve : 0n;
  const funding = (last24hAvgFundingRate * HOURS_PER_DAY * MILLION) / (price * RATE_PER_PRICE);
  return {
    feePpm: toSafeNumber(adjusted),
    halfSpreadPpm: Math.max(amm.longSpread, amm.shortSpread, Math.ceil(amm.baseSpread / 2)),
    impactPpm: toSafeNumber(impact),
    fundingPpmPerDay: toSafeNumber(funding),
    maintenancePpm: market.marginRatioMaintenance * 100,
    minBaseSize: minOrderSize > orderStepSize ? minOrderSize : orderStepSize,
    baseStep: orderStepSize,
    sources: {
      fee: "First fee tier of the exchange's state account",
      spread: "The market's present distance of bid and ask from its oracle",
      impact: "The market maker's curve as it stands, for an order of 10,000",
      funding: "Mean funding rate of the last 24 hours in the market's account",
      minimum: "Smallest order, step and maintenance margin in the market's account",
    },
  };
}
