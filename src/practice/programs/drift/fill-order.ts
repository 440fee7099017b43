import { type Address } from "@solana/kit";
import { anchorStruct } from "../../../solana/encoding/anchor.ts";
import { i128, i64, u16, u64 } from "../../../solana/number-codecs.ts";
import { DIRECTION, MARKET_TYPE } from "../../../venues/drift/instruction-arguments.ts";
import {
  MARGIN_PRECISION,
  type DriftPerpMarket,
} from "../../../venues/drift/layout-perp-market.ts";
import { MARKET_STATUS } from "../../../venues/drift/layout-spot-market.ts";
import { EXCHANGE_STATUS } from "../../../venues/drift/layout-state.ts";
import type { DriftUserStats } from "../../../venues/drift/layout-user-stats.ts";
import { type DriftOrder, ORDER_STATUS } from "../../../venues/drift/layout-user.ts";
import { emit } from "./account-events.ts";
import { BASE_PRECISION } from "../../../venues/drift/margin.ts";
import { askPrice, bidPrice, PRICE_PRECISION, reservePrice } from "./curve.ts";
import { demand, ExchangeRefusal } from "./exchange-failures.ts";
import { type Filler, type FillTask, fillWithCurve } from "./fill.ts";
import { FUNDING_PRECISION, payFunding, paymentFor } from "./funding-payments.ts";
import { abs, max, clamp } from "./integers.ts";
import { demandMargin, isBeingLiquidated, USER_STATUS } from "./margin-check.ts";
import {
  countVolume,
  updateMarkAverages,
  updateOracleAverages,
  newAverage,
} from "./market-averages.ts";
import { demandSoundMarket } from "./market-update.ts";
import { canPriceOrders, canMoveFunding, judgeOracle } from "./oracle-validity.ts";
import { auctionPrice, isAuctionComplete, limitOf } from "./order-auction.ts";
import { EXPLANATION } from "./order-events.ts";
import {
  cancelOrder,
  isExpired,
  isInSettlement,
  isTriggered,
  type OrderDesk,
  payFlatReward,
  touchUser,
} from "./orders.ts";
import { isLimitOrder, mustBeTriggered, unfilledOf } from "./order-validation.ts";
import { isAvailable, positionOf } from "./position-changes.ts";

const ONE_HOUR = 3_600n;
const ONE_DAY = 86_400n;

/** Factor between the decimals of funding rates and prices: three more. */
const RATE_BUFFER = 1_000n;

/** Daily funding offset added to the premium as a share of the price: 1 / 5,000. */
const OFFSET_DIVISOR = 5_000n;

const UPDATE_FUNDING_PAUSED = 1;
const TIER_B = 1;
const TIER_C = 2;

const fundingRateRecord = anchorStruct("event", "FundingRateRecord", [
  ["ts", i64],
  ["recordId", u64],
  ["marketIndex", u16],
  ["fundingRate", i64],
  ["fundingRateLong", i128],
  ["fundingRateShort", i128],
  ["cumulativeFundingRateLong", i128],
  ["cumulativeFundingRateShort", i128],
  ["oraclePriceTwap", i64],
  ["markPriceTwap", u64],
  ["periodRevenue", i64],
  ["baseAssetAmountWithAmm", i128],
  ["baseAssetAmountWithUnsettledLp", i128],
]);

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
  demand(kept >= 0n, "MathError");
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
function updateFundingRate(desk: OrderDesk, market: DriftPerpMarket, reserve: bigint): void {
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
  emit(context, fundingRateRecord, {
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
  });
  market.nextFundingRateRecordId += 1n;
  amm.netRevenueSinceLastFunding = 0n;
}

const PERCENT_DIVISORS = { drawdownA: 50n, drawdownB: 33n, drawdownC: 25n, other: 20n } as const;
const QUOTE_PRECISION = 1_000_000n;

/** Bits of the operations that a market can pause individually. */
const PAUSED = { curveFill: 2, fill: 4 } as const;

/** Seconds after a limit order's expiry before a keeper may cancel it. */
const EXPIRY_GRACE_SECONDS = 15n;

/** Requester and conditions of a fill. */
export interface FillRequest {
  readonly desk: OrderDesk;
  readonly stats: DriftUserStats;
  readonly orderId: number;
  readonly fillerAddress: Address;
  readonly filler: Filler | undefined;
  /** The order was placed in the same instruction: its auction counts as complete. */
  readonly isOwnTake: boolean;
  /** Makers given as accounts; they are not matched. */
  readonly makers: ReadonlySet<Address>;
}

function hasTooMuchDrawdown({ amm, contractTier }: DriftPerpMarket): boolean {
  const limit = -25n * QUOTE_PRECISION * (contractTier <= 1 ? 400n : 200n);
  if (amm.netRevenueSinceLastFunding > limit) return false;
  const fees = max(1n, amm.totalFeeMinusDistributions);
  const share = (amm.netRevenueSinceLastFunding * PRICE_PRECISION) / fees;
  const { drawdownA, drawdownB, drawdownC, other } = PERCENT_DIVISORS;
  const divisor = [drawdownA, drawdownB, drawdownC][contractTier] ?? other;
  return share <= -PRICE_PRECISION / divisor;
}

function isCurveAvailable(desk: OrderDesk, market: DriftPerpMarket): boolean {
  const isPaused = (desk.state.exchangeStatus & EXCHANGE_STATUS.ammPaused) !== 0;
  return (
    !isPaused &&
    desk.maps.validity(market) === "valid" &&
    (market.pausedOperations & PAUSED.curveFill) === 0 &&
    !hasTooMuchDrawdown(market)
  );
}

/** Refuses a fill further from the oracle's price, or its average, than the exchange allows. */
function demandPriceBands(task: FillTask, order: DriftOrder, price: bigint, average: bigint): void {
  const oracle = abs(task.maps.oracle(task.market.amm.oracle).price);
  const isLong = order.direction === DIRECTION.long;
  if (isLong ? price < oracle && price < average : price > oracle && price > average) return;
  const worse = (than: bigint) => max(0n, isLong ? price - than : than - price);
  const fromOracle = (worse(oracle) * MARGIN_PRECISION) / oracle;
  demand(fromOracle < BigInt(task.market.marginRatioInitial), "PriceBandsBreached");
  const fromAverage = (worse(average) * PRICE_PRECISION) / average;
  const most = max(task.state.oracleTwap5minPercentDivergence, PRICE_PRECISION / 2n);
  demand(fromAverage < most, "PriceBandsBreached");
}

function takeAway(task: FillTask, actionExplanation: number): void {
  const reward = payFlatReward(task, task.market, task.filler?.user);
  cancelOrder(task, task.index, {
    actionExplanation,
    filler: task.fillerAddress,
    fillerReward: reward,
  });
}

function reducesNothing(task: FillTask, held: bigint): boolean {
  const order = task.user.orders[task.index];
  if (order?.status !== ORDER_STATUS.open || !order.reduceOnly) return false;
  return unfilledOf(order, held) < task.market.amm.orderStepSize;
}

/** Returns whether the order has expired. Keepers may cancel a limit order only after a grace period. */
function isOver(order: DriftOrder, now: bigint): boolean {
  if (!isExpired(order, now)) return false;
  demand(!isLimitOrder(order) || isExpired(order, now - EXPIRY_GRACE_SECONDS), "ImpossibleFill");
  return true;
}

function limitForFill(task: FillTask, isOwnTake: boolean, oracle: bigint | undefined) {
  const { slot } = task.context.time;
  const order = task.user.orders[task.index];
  if (order === undefined) throw new Error("An order was filled that is not there");
  const { orderTickSize } = task.market.amm;
  return isOwnTake && order.auctionDuration !== 0
    ? auctionPrice(order, order.slot + BigInt(order.auctionDuration), orderTickSize, oracle)
    : limitOf(order, oracle, slot, orderTickSize);
}

/** Returns whether the AMM's present price is within the order's limit. */
function crosses(task: FillTask, limit: bigint | undefined, reserve: bigint): boolean {
  const order = task.user.orders[task.index];
  if (order === undefined) return false;
  const isLong = order.direction === DIRECTION.long;
  const { amm } = task.market;
  const quoted = isLong ? askPrice(amm, reserve) : bidPrice(amm, reserve);
  if (limit === undefined) {
    if (order.postOnly) throw new ExchangeRefusal("FailedUnwrap");
    return true;
  }
  return isLong ? quoted <= limit : quoted >= limit;
}

function fulfil(task: FillTask, request: FillRequest, isAvailable: boolean, reserve: bigint) {
  const { context, state, maps, user, market } = task;
  const order = user.orders[task.index];
  if (order === undefined) throw new Error("An order was filled that is not there");
  const position = positionOf(user, market.marketIndex);
  const held = position.baseAssetAmount;
  const isOpposite = order.direction === DIRECTION.long ? held < 0n : held > 0n;
  const isReducing = isOpposite && unfilledOf(order, held) <= abs(held);
  const canPrice = canPriceOrders(maps.validity(market));
  const oracle = canPrice ? maps.oracle(market.amm.oracle).price : undefined;
  const limit = limitForFill(task, request.isOwnTake, oracle);
  const { minPerpAuctionDuration } = state;
  const isOpen =
    isAvailable && isAuctionComplete(order.slot, minPerpAuctionDuration, context.time.slot);
  if (!isOpen || !crosses(task, limit, reserve)) return { base: 0n, quote: 0n };
  // A taker given as its own maker is rejected
  const isOwnMaker = task.fillerAddress === task.address && request.makers.has(task.address);
  demand(!isOwnMaker, "UnableToLoadUserAccount");
  const filled = fillWithCurve(task, limit, reserve);
  countVolume(market.amm, filled.quote, order.direction, context.time.unixTime);
  demandMargin(user, maps, isReducing ? "maintenance" : "fill", false);
  return filled;
}

function demandFillableMarket(market: DriftPerpMarket): void {
  const isActive =
    market.status === MARKET_STATUS.active || market.status === MARKET_STATUS.reduceOnly;
  demand(isActive, "MarketFillOrderPaused");
  demand((market.pausedOperations & PAUSED.fill) === 0, "MarketFillOrderPaused");
}

function openTask(request: FillRequest): FillTask {
  const { desk, stats, orderId, fillerAddress, filler } = request;
  const { context, maps, user, address } = desk;
  const index = user.orders.findIndex((each) => each.orderId === orderId);
  const order = user.orders[index];
  if (order === undefined) throw new ExchangeRefusal("OrderDoesNotExist");
  demand(order.marketType === MARKET_TYPE.perp, "InvalidOrderMarketType");
  const market = maps.perp(order.marketIndex);
  const position = user.perpPositions.find(
    (slot) => slot.marketIndex === order.marketIndex && !isAvailable(slot),
  );
  if (position !== undefined) payFunding(context, address, user, position, market);
  demandFillableMarket(market);
  demand(order.status === ORDER_STATUS.open, "OrderNotOpen");
  demand(!mustBeTriggered(order) || isTriggered(order), "OrderMustBeTriggeredFirst");
  return { ...desk, stats, market, index, fillerAddress, filler };
}

/** Fills as much of an order as possible now, or cancels it when it has expired or no longer reduces a position. */
export function fillOrder(request: FillRequest): void {
  const task = openTask(request);
  const { context, state, maps, user, market, filler } = task;
  const { slot, unixTime: now } = context.time;
  const order = user.orders[task.index];
  if (order === undefined || (user.status & USER_STATUS.bankrupt) !== 0) return;
  if (isBeingLiquidated(user, maps, state)) return;
  demandSoundMarket(market);
  demand(!isInSettlement(market, now), "MarketFillOrderPaused");
  const isAvailable = isCurveAvailable(task, market);
  const reserve = reservePrice(market.amm);
  const average = market.amm.historicalOracleData.lastOraclePriceTwap5min;
  const oracle = maps.oracle(market.amm.oracle).price;
  demand(average !== 0n, "MathError");
  const divergence = (abs(oracle - average) * PRICE_PRECISION) / abs(average);
  if (divergence >= max(state.oracleTwap5minPercentDivergence, PRICE_PRECISION / 2n)) {
    if (filler !== undefined) touchUser(filler.user, slot);
    return;
  }
  const hasWaited = isAuctionComplete(order.slot, state.minPerpAuctionDuration, slot);
  const isPossible = hasWaited || request.makers.size > 0 || !isLimitOrder(order);
  demand(isPossible, "ImpossibleFill");
  const isTimeOver = isOver(order, now);
  const position = positionOf(user, order.marketIndex);
  if (isTimeOver || reducesNothing(task, position.baseAssetAmount)) {
    takeAway(task, isTimeOver ? EXPLANATION.expired : EXPLANATION.reduceOnlyIncreased);
    return;
  }
  const { base, quote } = fulfil(task, request, isAvailable, reserve);
  if (base > 0n) demandPriceBands(task, order, (quote * BASE_PRECISION) / base, abs(average));
  if (reducesNothing(task, position.baseAssetAmount))
    takeAway(task, EXPLANATION.reduceOnlyIncreased);
  if (base === 0n) return;
  const { baseAssetAmountLong, baseAssetAmountShort, maxOpenInterest } = market.amm;
  const openInterest = max(abs(baseAssetAmountLong), abs(baseAssetAmountShort));
  demand(maxOpenInterest === 0n || maxOpenInterest > openInterest, "MaxOpenInterest");
  updateFundingRate(task, market, reserve);
  touchUser(user, slot);
}
