import { DIRECTION } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { type Amm, askPrice, bidPrice, PRICE_PRECISION, reservePrice } from "./curve.ts";
import { demand } from "./exchange-failures.ts";
import { abs, clamp, max, min, toU64 } from "./integers.ts";
import type { OracleReading } from "./oracle-validity.ts";

const ONE_MINUTE = 60n;
const FIVE_MINUTES = 300n;
const ONE_HOUR = 3_600n;
const ONE_DAY = 86_400n;
const QUOTE_PRECISION = 1_000_000n;

/**
 * Divisors of the largest counted distance of a new price from its average, by contract tier: a tenth, a fifth, half; a
 * third beyond.
 */
const CLAMP_DIVISORS = [10n, 5n, 2n] as const;
const LOOSE_CLAMP_DIVISOR = 3n;

/** Returns a new price clamped to the distance from its average that the market's tier allows. */
function sanitized(price: bigint, average: bigint, market: DriftPerpMarket): bigint {
  if (average === 0n) return price;
  const band = average / (CLAMP_DIVISORS[market.contractTier] ?? LOOSE_CLAMP_DIVISOR);
  return clamp(price, average - abs(band), average + abs(band));
}

function estimatedBidAsk(
  amm: Amm,
  tradePrice: bigint,
  direction: number | undefined,
): readonly [bid: bigint, ask: bigint] {
  const oracle = toU64(amm.historicalOracleData.lastOraclePrice);
  const premium = tradePrice - oracle;
  demand(oracle > 0n, "InvalidOracle");
  const reserve = reservePrice(amm);
  const [ammBid, ammAsk] = [bidPrice(amm, reserve), askPrice(amm, reserve)];
  const spread = BigInt(amm.baseSpread);
  const discount = min(min(spread, BigInt(amm.shortSpread) / 2n), abs(premium));
  const surcharge = min(min(spread, BigInt(amm.longSpread) / 2n), abs(premium));
  const bid = max(premium > 0n ? oracle - discount : tradePrice, ammBid);
  const ask = min(premium < 0n ? oracle + surcharge : tradePrice, ammAsk);
  if (direction === DIRECTION.long) return [bid, max(tradePrice, bid)];
  if (direction === DIRECTION.short) return [min(tradePrice, ask), ask];
  const between = min(max(tradePrice, ammBid), ammAsk);
  return [between, between];
}

/**
 * Updates the averages of the market's own prices after a trade. Returns the middle of the new bid and ask averages.
 */
export function updateMarkAverages(
  market: DriftPerpMarket,
  now: bigint,
  tradePrice: bigint,
  direction: number | undefined,
): bigint {
  const { amm } = market;
  const [bid, ask] = estimatedBidAsk(amm, tradePrice, direction);
  demand(bid <= ask, "InvalidMarkTwapUpdateDetected");
  const cappedBid = sanitized(bid, amm.lastBidPriceTwap, market);
  const cappedAsk = sanitized(ask, amm.lastAskPriceTwap, market);
  demand(cappedBid <= cappedAsk, "InvalidMarkTwapUpdateDetected");

  const at = amm.lastMarkPriceTwapTs;
  const oracle = amm.historicalOracleData;
  // When trades lag behind the oracle, the averages first move towards the oracle's average
  const lag = oracle.lastOraclePriceTwapTs - at;
  const isLate = lag > max(amm.fundingPeriod / 60n, ONE_MINUTE);
  const fresh = max(0n, amm.fundingPeriod - lag);
  const corrected = (average: bigint) =>
    isLate ? weightedAverage(oracle.lastOraclePriceTwap, average, lag, fresh) : average;
  const bidAverage = { average: corrected(amm.lastBidPriceTwap), at };
  const askAverage = { average: corrected(amm.lastAskPriceTwap), at };
  amm.lastBidPriceTwap = toU64(newAverage(cappedBid, now, bidAverage, amm.fundingPeriod));
  amm.lastAskPriceTwap = toU64(newAverage(cappedAsk, now, askAverage, amm.fundingPeriod));
  const middle = (amm.lastBidPriceTwap + amm.lastAskPriceTwap) / 2n;

  const change = abs(tradePrice - amm.lastMarkPriceTwap);
  amm.markStd = rollingSum(amm.markStd, change, max(ONE_HOUR, now - at), ONE_HOUR);
  amm.lastMarkPriceTwap = middle;
  const fast = { average: amm.lastMarkPriceTwap5min, at };
  amm.lastMarkPriceTwap5min = newAverage((cappedBid + cappedAsk) / 2n, now, fast, FIVE_MINUTES);
  amm.lastMarkPriceTwapTs = now;
  return middle;
}

function normalisedPrice(oracle: OracleReading, reserve: bigint): bigint {
  const margin = reserve / 4_000n;
  return reserve > oracle.price
    ? min(max(reserve - margin, oracle.price), oracle.price + oracle.confidence)
    : max(min(reserve + margin, oracle.price), oracle.price - oracle.confidence);
}

function oracleAverage(amm: Amm, now: bigint, price: bigint, isFast: boolean): bigint {
  const oracle = amm.historicalOracleData;
  const mark = isFast ? amm.lastMarkPriceTwap5min : amm.lastMarkPriceTwap;
  const last = isFast ? oracle.lastOraclePriceTwap5min : oracle.lastOraclePriceTwap;
  const period = isFast ? FIVE_MINUTES : amm.fundingPeriod;
  const passed = max(period === 0n ? 1n : 0n, now - oracle.lastOraclePriceTwapTs);
  const lag = amm.lastMarkPriceTwapTs - oracle.lastOraclePriceTwapTs;
  const seen = lag > 0n ? weightedAverage(mark, price, lag, max(1n, period - lag)) : price;
  return weightedAverage(seen, last, passed, max(0n, period - passed));
}

function confidenceShare(amm: Amm, confidence: bigint, reserve: bigint, now: bigint): bigint {
  const passed = max(0n, now - amm.historicalOracleData.lastOraclePriceTwapTs);
  const divisor = max(max(0n, 21n - passed), 5n);
  const last = amm.lastOracleConfPct;
  const least = passed > 0n ? last - last / divisor : last;
  return max((confidence * PRICE_PRECISION) / reserve, least);
}

/** Updates the averages of the oracle's price. Returns the average over the funding period. */
export function updateOracleAverages(
  market: DriftPerpMarket,
  now: bigint,
  oracle: OracleReading,
  reserve: bigint,
): bigint {
  const { amm } = market;
  const history = amm.historicalOracleData;
  const normalised = normalisedPrice(oracle, reserve);
  const capped = sanitized(normalised, history.lastOraclePriceTwap, market);
  if (capped <= 0n || normalised <= 0n) return history.lastOraclePriceTwap;
  const slow = oracleAverage(amm, now, capped, false);
  const fast = oracleAverage(amm, now, capped, true);
  amm.lastOracleNormalisedPrice = capped;
  history.lastOraclePrice = oracle.price;
  amm.lastOracleConfPct = confidenceShare(amm, oracle.confidence, reserve, now);
  history.lastOracleDelay = oracle.delay;
  amm.lastOracleReservePriceSpreadPct = ((reserve - oracle.price) * PRICE_PRECISION) / reserve;
  history.lastOraclePriceTwap5min = fast;
  history.lastOraclePriceTwap = slow;
  const passed = max(ONE_HOUR, now - history.lastOraclePriceTwapTs);
  amm.oracleStd = rollingSum(amm.oracleStd, abs(normalised - slow), passed, ONE_HOUR);
  history.lastOraclePriceTwapTs = now;
  return slow;
}

/** Adds a fill to the market's volumes. */
export function countVolume(amm: Amm, quote: bigint, direction: number, now: bigint): void {
  const passed = max(1n, now - amm.lastTradeTs);
  const long = direction === DIRECTION.long ? quote : 0n;
  const short = quote - long;
  const counted = (count: number, traded: bigint) =>
    // oxlint-disable-next-line house/no-float-money -- an average of counted trades, 32 bits
    Number(weightedAverage(BigInt(count), traded / QUOTE_PRECISION, passed, ONE_HOUR));
  amm.longIntensityCount = counted(amm.longIntensityCount, long);
  amm.longIntensityVolume = rollingSum(amm.longIntensityVolume, long, passed, ONE_HOUR);
  amm.shortIntensityCount = counted(amm.shortIntensityCount, short);
  amm.shortIntensityVolume = rollingSum(amm.shortIntensityVolume, short, passed, ONE_HOUR);
  amm.volume24h = rollingSum(amm.volume24h, quote, passed, ONE_DAY);
  amm.lastTradeTs = now;
}

/** Returns a rolling sum over a window after some time has passed; time without events counts as zero. */
export function rollingSum(sum: bigint, added: bigint, passed: bigint, window: bigint): bigint {
  return (sum * max(0n, window - passed)) / window + added;
}

/** Returns the weighted average of two prices, shifted by one unit towards the second. */
export function weightedAverage(
  one: bigint,
  other: bigint,
  weightOfOne: bigint,
  weightOfOther: bigint,
): bigint {
  if (weightOfOne === 0n) return other;
  if (weightOfOther === 0n) return one;
  const [first, second] = [one * weightOfOne, other * weightOfOther];
  const bias = weightOfOther <= 1n || first === second ? 0n : second < first ? -1n : 1n;
  const average = (first + second) / (weightOfOne + weightOfOther);
  return average === 0n && bias < 0n ? average : average + bias;
}

/** Returns a time-weighted average price over a period after a new observation `price`. */
export function newAverage(
  price: bigint,
  now: bigint,
  last: { readonly average: bigint; readonly at: bigint },
  period: bigint,
): bigint {
  const passed = max(0n, now - last.at);
  return weightedAverage(price, last.average, passed, max(1n, period - passed));
}
