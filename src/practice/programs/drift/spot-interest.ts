import { tokenAmount } from "../../../venues/drift/balance.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { BALANCE_TYPE } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { emitInterest, QUOTE_PRICE } from "./account-events.ts";
import { changePool } from "./spot-balance.ts";

const MILLION = 1_000_000n;
const YEAR_SECONDS = 31_536_000n;
const DAY_SECONDS = 86_400n;
const HOUR_SECONDS = 3_600n;
const FIVE_MINUTES_SECONDS = 300n;

/** Offset of the minimum borrow rate in the market's last bytes. */
const LEAST_RATE_OFFSET = 34;
const LEAST_RATE_STEP = 5_000n;

const largest = (a: bigint, b: bigint) => (a > b ? a : b);

/** Returns the program's weighted average, shifted by one unit towards the newer value. */
export function weightedAverage(
  newer: bigint,
  older: bigint,
  newWeight: bigint,
  oldWeight: bigint,
): bigint {
  if (newWeight === 0n) return older;
  if (oldWeight === 0n) return newer;
  const [left, right] = [newer * newWeight, older * oldWeight];
  const lean = oldWeight > 1n ? (right < left ? -1n : right > left ? 1n : 0n) : 0n;
  const average = (left + right) / (newWeight + oldWeight);
  return average === 0n && lean < 0n ? average : average + lean;
}

function average(newer: bigint, older: bigint, at: { now: bigint; last: bigint; period: bigint }) {
  const sinceLast = largest(0n, at.now - at.last);
  return weightedAverage(newer, older, sinceLast, largest(1n, at.period - sinceLast));
}

/** Returns a price clamped to a tenth around its average. */
function tempered(price: bigint, lastAverage: bigint): bigint {
  if (lastAverage === 0n) return price;
  const band = lastAverage / 10n;
  const distance = price - lastAverage;
  if (distance > band) return lastAverage + band;
  return distance < -band ? lastAverage - band : price;
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
  const at = { now, last: market.lastTwapTs, period: DAY_SECONDS };
  const { historicalOracleData: history } = market;
  const price = tempered(QUOTE_PRICE, history.lastOraclePriceTwap);
  const seen = { now, last: history.lastOraclePriceTwapTs };
  const { lastOraclePriceTwap: hourly, lastOraclePriceTwap5min: recent } = history;
  return {
    ...market,
    depositTokenTwap: average(depositTokens(market), market.depositTokenTwap, at),
    borrowTokenTwap: average(borrowTokens(market), market.borrowTokenTwap, at),
    utilizationTwap: average(utilizationOf(market), market.utilizationTwap, at),
    lastTwapTs: now,
    historicalOracleData: !witnesses
      ? history
      : {
          lastOraclePrice: QUOTE_PRICE,
          lastOracleConf: 1n,
          lastOracleDelay: 0n,
          lastOraclePriceTwap: average(price, hourly, { ...seen, period: HOUR_SECONDS }),
          lastOraclePriceTwap5min: average(price, recent, {
            ...seen,
            period: FIVE_MINUTES_SECONDS,
          }),
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
    return largest(least, (utilization * slope) / MILLION);
  }
  const slope = ((BigInt(market.maxBorrowRate) - optimalRate) * MILLION) / (MILLION - optimal);
  return largest(least, optimalRate + ((utilization - optimal) * slope) / MILLION);
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
