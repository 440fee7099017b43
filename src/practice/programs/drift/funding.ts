import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";

/** Longs pay 0.00125 % of their notional an hour, about 11 % a year; shorts are paid the same by the exchange. */
const HOURLY_RATE_NUMERATOR = 125n;
const HOURLY_RATE_DENOMINATOR = 10_000_000n;

/** Funding rates have three decimals more than prices. */
const FUNDING_RATE_BUFFER = 1_000n;

/** Returns the market with funding accrued for every whole period since it last was. */
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
