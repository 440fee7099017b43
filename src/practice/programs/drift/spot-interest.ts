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

/** Where the least borrow rate stands in the market's last bytes. */
const LEAST_RATE_OFFSET = 34;
const LEAST_RATE_STEP = 5_000n;

const largest = (a: bigint, b: bigint) => (a > b ? a : b);

/** The program's weighted average, which leans by one towards the newer value. */
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

/** A price no further from its average than a tenth of it. */
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

/** Share of the deposits that is borrowed, of one million. */
function utilizationOf(market: DriftSpotMarket): bigint {
  const [deposits, borrows] = [depositTokens(market), borrowTokens(market)];
  if (deposits === 0n) return borrows === 0n ? 0n : MILLION;
  return (borrows * MILLION) / deposits;
}

/** Returns the market with its averages brought up to now; with the quote asset's price witnessed where one was asked. */
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

/** Returns the spot market with the interest and averages due now, as each transfer and settlement begins. */
export function accrueInterest(
  context: InstructionContext,
  market: DriftSpotMarket,
  { witnesses }: { readonly witnesses: boolean },
): DriftSpotMarket {
  return withAverages(withInterest(context, market), context.time.unixTime, witnesses);
}
