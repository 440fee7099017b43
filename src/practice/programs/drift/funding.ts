import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";

/** Longs pay 0.00125 % of their notional per hour, about 11 % a year; the exchange pays shorts the same. */
const HOURLY_RATE_NUMERATOR = 125n;
const HOURLY_RATE_DENOMINATOR = 10_000_000n;

/** Factor between the decimals of funding rates and prices: three more. */
const FUNDING_RATE_BUFFER = 1_000n;

/** Returns the market with funding accrued for every full period since the last update. */
export function accrueFunding(
  market: DriftPerpMarket,
  oraclePrice: bigint,
  unixTime: bigint,
): DriftPerpMarket {
  const { amm } = market;
  const periods = (unixTime - amm.lastFundingRateTs) / amm.fundingPeriod;
  if (periods <= 0n) return market;
  const rate =
    (oraclePrice * FUNDING_RATE_BUFFER * HOURLY_RATE_NUMERATOR) / HOURLY_RATE_DENOMINATOR;
  const accrued = rate * periods;
  return {
    ...market,
    amm: {
      ...amm,
      lastFundingRate: rate,
      lastFundingRateLong: rate,
      lastFundingRateShort: rate,
      last24hAvgFundingRate: rate,
      cumulativeFundingRateLong: amm.cumulativeFundingRateLong + accrued,
      cumulativeFundingRateShort: amm.cumulativeFundingRateShort + accrued,
      lastFundingRateTs: amm.lastFundingRateTs + periods * amm.fundingPeriod,
    },
  };
}
