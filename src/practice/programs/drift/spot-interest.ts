import { tokenAmount } from "../../../venues/drift/balance.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { BALANCE_TYPE } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { emitInterest, QUOTE_PRICE } from "./account-events.ts";
import { clamp, max } from "./integers.ts";
import { changePool } from "./spot-balance.ts";
import { newAverage } from "./market-averages.ts";

const MILLION = 1_000_000n;
const YEAR_SECONDS = 31_536_000n;
const DAY_SECONDS = 86_400n;
const HOUR_SECONDS = 3_600n;
const FIVE_MINUTES_SECONDS = 300n;

/** Offset of the minimum borrow rate in the market's last bytes. */
const LEAST_RATE_OFFSET = 34;
const LEAST_RATE_STEP = 5_000n;

/** Returns a price clamped to a tenth around its average. */
function tempered(price: bigint, average: bigint): bigint {
  const band = average / 10n;
  return average === 0n ? price : clamp(price, average - band, average + band);
}

export function depositTokens(market: DriftSpotMarket): bigint {
  const { depositBalance: scaledBalance } = market;
  return tokenAmount({ scaledBalance, balanceType: BALANCE_TYPE.deposit }, market);
}

export function borrowTokens(market: DriftSpotMarket): bigint {
  const { borrowBalance: scaledBalance } = market;
  return -tokenAmount({ scaledBalance, balanceType: BALANCE_TYPE.borrow }, market);
}

/** Returns the borrowed share of the deposits, in millionths. */
function utilizationOf(market: DriftSpotMarket): bigint {
  const [deposits, borrows] = [depositTokens(market), borrowTokens(market)];
  if (deposits === 0n) return borrows === 0n ? 0n : MILLION;
  return (borrows * MILLION) / deposits;
}

/** Returns the market with its averages updated to now; where requested, the quote asset's price is recorded too. */
function withAverages(market: DriftSpotMarket, now: bigint, witnesses: boolean): DriftSpotMarket {
  const { historicalOracleData: history, lastTwapTs } = market;
  const daily = (value: bigint, average: bigint) =>
    newAverage(value, now, { average, at: lastTwapTs }, DAY_SECONDS);
  const price = tempered(QUOTE_PRICE, history.lastOraclePriceTwap);
  const seen = (average: bigint, period: bigint) =>
    newAverage(price, now, { average, at: history.lastOraclePriceTwapTs }, period);
  return {
    ...market,
    depositTokenTwap: daily(depositTokens(market), market.depositTokenTwap),
    borrowTokenTwap: daily(borrowTokens(market), market.borrowTokenTwap),
    utilizationTwap: daily(utilizationOf(market), market.utilizationTwap),
    lastTwapTs: now,
    historicalOracleData: !witnesses
      ? history
      : {
          lastOraclePrice: QUOTE_PRICE,
          lastOracleConf: 1n,
          lastOracleDelay: 0n,
          lastOraclePriceTwap: seen(history.lastOraclePriceTwap, HOUR_SECONDS),
          lastOraclePriceTwap5min: seen(history.lastOraclePriceTwap5min, FIVE_MINUTES_SECONDS),
          lastOraclePriceTwapTs: now,
        },
  };
}

function borrowRate(market: DriftSpotMarket, utilization: bigint): bigint {
  const optimal = BigInt(market.optimalUtilization);
  const optimalRate = BigInt(market.optimalBorrowRate);
  const least = BigInt(market.padding[LEAST_RATE_OFFSET] ?? 0) * LEAST_RATE_STEP;
  if (utilization <= optimal) {
    const slope = (optimalRate * MILLION) / optimal;
    return max(least, (utilization * slope) / MILLION);
  }
  const slope = ((BigInt(market.maxBorrowRate) - optimalRate) * MILLION) / (MILLION - optimal);
  return max(least, optimalRate + ((utilization - optimal) * slope) / MILLION);
}

function withInterest(context: InstructionContext, market: DriftSpotMarket): DriftSpotMarket {
  const utilization = utilizationOf(market);
  if (utilization === 0n) return market;
  const now = context.time.unixTime;
  const rate = borrowRate(market, utilization) * (now - market.lastInterestTs);
  const perYear = YEAR_SECONDS * MILLION;
  const borrowed = (market.cumulativeBorrowInterest * rate) / perYear + 1n;
  const lent =
    (market.cumulativeDepositInterest * ((rate * utilization) / MILLION)) / YEAR_SECONDS / MILLION;
  if (lent <= 0n || borrowed <= 1n) return market;
  const insuranceShare = BigInt(market.insuranceFund.totalFactor);
  const forStakers = (lent * insuranceShare) / MILLION;
  const forLenders = lent - forStakers;
  if (forLenders <= 0n) return market;
  const grown = {
    ...market,
    cumulativeDepositInterest: market.cumulativeDepositInterest + forLenders,
    cumulativeBorrowInterest: market.cumulativeBorrowInterest + borrowed,
    lastInterestTs: now,
  };
  const fee = (market.depositBalance * forStakers) / 10n ** BigInt(19 - market.decimals);
  const paid = changePool(grown.revenuePool, grown, fee);
  const next = { ...paid.market, revenuePool: paid.pool };
  emitInterest(context, next);
  return next;
}

/** Returns the spot market with due interest and averages, as every transfer and settlement requires first. */
export function accrueInterest(
  context: InstructionContext,
  market: DriftSpotMarket,
  { witnesses }: { readonly witnesses: boolean },
): DriftSpotMarket {
  return withAverages(withInterest(context, market), context.time.unixTime, witnesses);
}
