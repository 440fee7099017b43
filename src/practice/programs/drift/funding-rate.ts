import { getI64Codec, getI128Codec, getStructCodec, getU16Codec, getU64Codec } from "@solana/kit";
import { anchorDiscriminator, withDiscriminator } from "../../../solana/encoding/anchor.ts";
import { DIRECTION } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { EXCHANGE_STATUS } from "../../../venues/drift/layout-state.ts";
import { askPrice, bidPrice, PRICE_PRECISION } from "./curve.ts";
import { demand } from "./exchange-failures.ts";
import { abs, clamp, max } from "./integers.ts";
import { updateMarkAverages, updateOracleAverages } from "./market-averages.ts";
import { canMoveFunding } from "./oracle-validity.ts";
import { judgeOracle } from "./oracle-validity.ts";
import type { OrderDesk } from "./orders.ts";
import { newAverage } from "./rolling-averages.ts";

const ONE_HOUR = 3_600n;
const ONE_DAY = 86_400n;

/** Factor between the decimals of funding rates and prices: three more. */
const RATE_BUFFER = 1_000n;

/** Daily funding offset added to the premium as a share of the price: 1 / 5,000. */
const OFFSET_DIVISOR = 5_000n;

const FUNDING_PRECISION = 1_000_000_000_000n;
const UPDATE_FUNDING_PAUSED = 1;
const TIER_B = 1;
const TIER_C = 2;

const fundingRateRecord = withDiscriminator(
  anchorDiscriminator("event", "FundingRateRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["recordId", getU64Codec()],
    ["marketIndex", getU16Codec()],
    ["fundingRate", getI64Codec()],
    ["fundingRateLong", getI128Codec()],
    ["fundingRateShort", getI128Codec()],
    ["cumulativeFundingRateLong", getI128Codec()],
    ["cumulativeFundingRateShort", getI128Codec()],
    ["oraclePriceTwap", getI64Codec()],
    ["markPriceTwap", getU64Codec()],
    ["periodRevenue", getI64Codec()],
    ["baseAssetAmountWithAmm", getI128Codec()],
    ["baseAssetAmountWithUnsettledLp", getI128Codec()],
  ]),
);

/** Returns whether a funding update is due; updates align to the hour where possible. */
function isDue(now: bigint, last: bigint, period: bigint): boolean {
  const late = ((last % period) + period) % period;
  let wait = period;
  if (period > 1n && late !== 0n) {
    wait = late > period / 3n ? period * 2n - late : period - late;
    if (wait > period * 2n) wait -= period;
  }
  return now - last >= wait;
}

function paymentFor(rate: bigint, base: bigint): bigint {
  const size = (abs(rate) * abs(base)) / FUNDING_PRECISION;
  return rate > 0n === base > 0n ? -size : size;
}

/** Returns the funding rates of longs and shorts; the exchange contributes at most a third of its fees. */
function ratesOf({ amm }: DriftPerpMarket, rate: bigint) {
  const net = amm.baseAssetAmountWithAmm + amm.baseAssetAmountWithUnsettledLp;
  const revenue = -paymentFor(rate, net);
  if (revenue >= 0n) {
    amm.totalFeeMinusDistributions += revenue;
    amm.netRevenueSinceLastFunding += revenue;
    return { long: rate, short: rate, revenue };
  }
  const floor = amm.totalExchangeFee / 2n;
  const kept = floor + amm.totalLiquidationFee - amm.totalFeeWithdrawn;
  const limit = -(max(0n, amm.totalFeeMinusDistributions - kept) / 3n);
  const spent = max(revenue, limit);
  let capped = rate;
  if (revenue < limit) {
    const payers = rate > 0n ? amm.baseAssetAmountLong : amm.baseAssetAmountShort;
    const receivers = rate < 0n ? amm.baseAssetAmountLong : amm.baseAssetAmountShort;
    const budget = limit - abs(paymentFor(rate, payers));
    const biased = budget < 0n ? budget + 1n : budget;
    capped = receivers === 0n ? 0n : (biased * FUNDING_PRECISION) / receivers;
  }
  const left = amm.totalFeeMinusDistributions + spent;
  demand(spent === 0n || left >= floor, "InvalidFundingProfitability");
  amm.totalFeeMinusDistributions = left;
  amm.netRevenueSinceLastFunding -= abs(spent);
  return { long: rate < 0n ? capped : rate, short: rate > 0n ? capped : rate, revenue };
}

function isBlocked(desk: OrderDesk, market: DriftPerpMarket, reserve: bigint): boolean {
  const { state, maps, context } = desk;
  const { amm } = market;
  const history = amm.historicalOracleData;
  const oracle = maps.oracle(amm.oracle);
  const validity = judgeOracle(state, oracle, history.lastOraclePriceTwap, market.contractTier);
  const spread = ((reserve - history.lastOraclePriceTwap5min) * PRICE_PRECISION) / reserve;
  const divergence = max(state.markOraclePercentDivergence, PRICE_PRECISION / 10n);
  const age = max(0n, context.time.slot - amm.lastUpdateSlot);
  return (
    age > amm.fundingPeriod ||
    !canMoveFunding(validity) ||
    abs(spread) > divergence ||
    (market.pausedOperations & UPDATE_FUNDING_PAUSED) !== 0 ||
    (state.exchangeStatus & EXCHANGE_STATUS.fundingPaused) !== 0
  );
}

/** Updates the market's funding rates when due, as part of the trade that finds the update due. */
export function updateFundingRate(desk: OrderDesk, market: DriftPerpMarket, reserve: bigint): void {
  const { context, maps } = desk;
  const { amm } = market;
  const now = context.time.unixTime;
  const isOpen = !isBlocked(desk, market, reserve);
  if (!isOpen || !isDue(now, amm.lastFundingRateTs, amm.fundingPeriod)) return;
  const average = updateOracleAverages(market, now, maps.oracle(amm.oracle), reserve);
  const [price, direction] =
    amm.longSpread > amm.shortSpread
      ? [askPrice(amm, reserve), DIRECTION.long]
      : amm.longSpread < amm.shortSpread
        ? [bidPrice(amm, reserve), DIRECTION.short]
        : [reserve, undefined];
  const mark = updateMarkAverages(market, now, price, direction);
  const premium = mark - average + abs(average) / OFFSET_DIVISOR;
  const tier = market.contractTier;
  const most = average / (tier <= TIER_B ? 33n : tier <= TIER_C ? 20n : 10n);
  const periods = (24n * ONE_HOUR) / max(ONE_HOUR, amm.fundingPeriod);
  const rate = (clamp(premium, -most, most) * RATE_BUFFER) / periods;
  const { long, short, revenue } = ratesOf(market, rate);

  amm.cumulativeFundingRateLong += long;
  amm.cumulativeFundingRateShort += short;
  amm.lastFundingRate = rate;
  amm.lastFundingRateLong = long;
  amm.lastFundingRateShort = short;
  const last = { average: amm.last24hAvgFundingRate, at: amm.lastFundingRateTs };
  amm.last24hAvgFundingRate = newAverage(rate, now, last, ONE_DAY);
  amm.netUnsettledFundingPnl -= revenue;
  amm.lastFundingRateTs = now;
  context.logData(
    new Uint8Array(
      fundingRateRecord.encode({
        ts: now,
        recordId: market.nextFundingRateRecordId,
        marketIndex: market.marketIndex,
        fundingRate: rate,
        fundingRateLong: long,
        fundingRateShort: short,
        cumulativeFundingRateLong: amm.cumulativeFundingRateLong,
        cumulativeFundingRateShort: amm.cumulativeFundingRateShort,
        oraclePriceTwap: average,
        markPriceTwap: mark,
        periodRevenue: amm.netRevenueSinceLastFunding,
        baseAssetAmountWithAmm: amm.baseAssetAmountWithAmm,
        baseAssetAmountWithUnsettledLp: amm.baseAssetAmountWithUnsettledLp,
      }),
    ),
  );
  market.nextFundingRateRecordId += 1n;
  amm.netRevenueSinceLastFunding = 0n;
}
