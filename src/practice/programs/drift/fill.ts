import { BASE_PRECISION } from "../../../venues/drift/margin.ts";
import type { Address } from "@solana/kit";
import { DIRECTION } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftState } from "../../../venues/drift/layout-state.ts";
import type { DriftUserStats } from "../../../venues/drift/layout-user-stats.ts";
import type {
  DriftOrder,
  DriftPerpPosition,
  DriftUser,
} from "../../../venues/drift/layout-user.ts";
import { ORDER_STATUS } from "../../../venues/drift/layout-user.ts";
import { ORDER_ACTION } from "../../../venues/drift/order-action-record.ts";
import { askPrice, availableLiquidity, bidPrice, swapBase, updateSpreadReserves } from "./curve.ts";
import { demand } from "./exchange-failures.ts";
import { abs, divideUp, max, min, toU64, wholeRoot } from "./integers.ts";
import { updateMarkAverages, rollingSum } from "./market-averages.ts";
import { emitOrderAction, EXPLANATION } from "./order-events.ts";
import { isTriggered, type OrderDesk, removeOrder, touchUser } from "./orders.ts";
import { mustBeTriggered, sizeUpToLimit, unfilledOf } from "./order-validation.ts";
import {
  addOpenOrder,
  addQuote,
  addQuoteAndBreakEven,
  positionOf,
  positionOrNew,
  tradePosition,
} from "./position-changes.ts";

const THIRTY_DAYS = 30n * 86_400n;
const MAX_NET_POSITION = 100_000_000_000_000_000n;

/** Filler of another user's order, who receives a reward. */
export interface Filler {
  readonly user: DriftUser;
  readonly stats: DriftUserStats;
}

export interface FillTask extends OrderDesk {
  readonly stats: DriftUserStats;
  readonly market: DriftPerpMarket;
  readonly index: number;
  readonly fillerAddress: Address;
  readonly filler: Filler | undefined;
}

/** Fee tiers by 30-day volume and staked quote, best first. */
const FEE_TIERS = [
  [5, 100_000_000n, 9_999n],
  [4, 50_000_000n, 4_999n],
  [3, 10_000_000n, 1_999n],
  [2, 5_000_000n, 999n],
  [1, 1_000_000n, 499n],
] as const;

const DOLLAR = 1_000_000n;

export function feeTierOf(stats: DriftUserStats, { perpFeeStructure }: DriftState) {
  const volume = stats.takerVolume30d + stats.makerVolume30d;
  const staked = stats.ifStakedQuoteAssetAmount;
  const found = FEE_TIERS.find(
    ([, least, stake]) => volume >= least * DOLLAR || staked >= stake * DOLLAR,
  );
  const tier = perpFeeStructure.feeTiers[found?.[0] ?? 0];
  if (tier === undefined) throw new Error("The exchange has no fee tier");
  return tier;
}

function fillerReward(task: FillTask, fee: bigint, orderSlot: bigint): bigint {
  const { filler, context, state, market } = task;
  if (filler === undefined) return 0n;
  try {
    positionOrNew(filler.user, market.marketIndex);
  } catch {
    return 0n;
  }
  const { rewardNumerator, rewardDenominator, timeBasedRewardLowerBound } = state.perpFeeStructure;
  const bySize = (fee * BigInt(rewardNumerator)) / BigInt(rewardDenominator);
  const waited = max(1n, context.time.slot - orderSlot);
  const byTime = (wholeRoot(waited * 100_000_000n, 4n) * timeBasedRewardLowerBound) / 100n;
  return min(bySize, byTime);
}

function sizeToFill(task: FillTask, order: DriftOrder, limit: bigint | undefined, held: bigint) {
  const { market } = task;
  if (mustBeTriggered(order) && !isTriggered(order)) return 0n;
  let bounded = limit;
  if (order.postOnly && limit !== undefined) {
    const tier = feeTierOf(task.stats, task.state);
    const buffer =
      (limit * BigInt(tier.makerRebateNumerator)) / BigInt(tier.makerRebateDenominator);
    bounded = order.direction === DIRECTION.long ? limit - buffer : limit + buffer;
  }
  const upTo = sizeUpToLimit(order, market, bounded, held);
  return min(upTo, availableLiquidity(market.amm, order.direction));
}

/** Returns the quote amount of a maker order's size at its price. */
function makerQuote(size: bigint, price: bigint, direction: number): bigint {
  const exact = size * price;
  return direction === DIRECTION.long ? exact / BASE_PRECISION : divideUp(exact, BASE_PRECISION);
}

function demandFillPrice(order: DriftOrder, size: bigint, quote: bigint, limit: bigint): void {
  const isLong = order.direction === DIRECTION.long;
  const spare = order.postOnly ? 0n : isLong ? -1n : 1n;
  const price = (max(0n, quote + spare) * BASE_PRECISION) / size;
  demand(isLong ? price <= limit : price >= limit, "InvalidOrderFillPrice");
}

interface Fees {
  readonly fee: bigint;
  readonly rebate: bigint;
  readonly reward: bigint;
  readonly toMarket: bigint;
}

function feesOf(task: FillTask, order: DriftOrder, quote: bigint, surplus: bigint): Fees {
  const tier = feeTierOf(task.stats, task.state);
  if (order.postOnly) {
    const rebate =
      (quote * BigInt(tier.makerRebateNumerator)) / BigInt(tier.makerRebateDenominator);
    const left = toU64(surplus) - rebate;
    demand(left >= 0n, "MathError");
    const reward = fillerReward(task, left, order.slot);
    return { fee: 0n, rebate, reward, toMarket: left - reward };
  }
  const fee = divideUp(quote * BigInt(tier.feeNumerator), BigInt(tier.feeDenominator));
  const reward = fillerReward(task, fee, order.slot);
  return { fee, rebate: 0n, reward, toMarket: fee - reward + surplus };
}

function bookFees(task: FillTask, position: DriftPerpPosition, fees: Fees, surplus: bigint): void {
  const { stats, market } = task;
  const { amm } = market;
  amm.totalFee += fees.toMarket;
  amm.totalExchangeFee += fees.fee;
  amm.totalMmFee += surplus;
  amm.totalFeeMinusDistributions += fees.toMarket;
  amm.netRevenueSinceLastFunding += fees.toMarket;
  stats.totalFeePaid += fees.fee;
  stats.totalFeeRebate += fees.rebate;
  addQuoteAndBreakEven(position, market, -fees.fee);
  addQuoteAndBreakEven(position, market, fees.rebate);
}

function countVolumes(task: FillTask, order: DriftOrder, quote: bigint): void {
  const { stats, context } = task;
  const now = context.time.unixTime;
  const sum = (volume: bigint, at: bigint) =>
    rollingSum(volume, quote, max(1n, now - at), THIRTY_DAYS);
  if (order.postOnly) {
    stats.makerVolume30d = sum(stats.makerVolume30d, stats.lastMakerVolume30dTs);
    stats.lastMakerVolume30dTs = now;
  } else {
    stats.takerVolume30d = sum(stats.takerVolume30d, stats.lastTakerVolume30dTs);
    stats.lastTakerVolume30dTs = now;
  }
}

function rewardFiller(task: FillTask, reward: bigint, quote: bigint): void {
  const { filler, market, context } = task;
  if (filler === undefined) return;
  if (reward > 0n) {
    addQuote(positionOrNew(filler.user, market.marketIndex), market, reward);
    const { stats } = filler;
    const now = context.time.unixTime;
    const passed = max(1n, now - stats.lastFillerVolume30dTs);
    stats.fillerVolume30d = rollingSum(stats.fillerVolume30d, quote, passed, THIRTY_DAYS);
    stats.lastFillerVolume30dTs = now;
  }
  touchUser(filler.user, context.time.slot);
}

/** Refuses a fill that would take the curve's reserves further beyond their bounds. */
function demandInside(amm: DriftPerpMarket["amm"], isLong: boolean): void {
  const isInside = isLong
    ? amm.baseAssetReserve >= amm.minBaseAssetReserve
    : amm.baseAssetReserve <= amm.maxBaseAssetReserve;
  demand(isInside, "InvalidAmmForFillDetected");
}

/**
 * Fills an order against the AMM within its limit. Returns the filled base and quote.
 *
 * `reserve` is the market's price before the order.
 */
export function fillWithCurve(task: FillTask, limit: bigint | undefined, reserve: bigint) {
  const { context, maps, address, user, market, index } = task;
  const order = user.orders[index];
  if (order === undefined) throw new Error("An order was filled that is not there");
  const { amm } = market;
  const now = context.time.unixTime;
  const { direction } = order;
  const isLong = direction === DIRECTION.long;
  const position = positionOf(user, market.marketIndex);
  const held = position.baseAssetAmount;
  const size = sizeToFill(task, order, limit, held);
  const least = abs(held) > amm.minOrderSize ? amm.minOrderSize : amm.orderStepSize;
  if (size < least) return { base: 0n, quote: 0n };
  demandInside(amm, isLong);

  const quoted = isLong ? askPrice(amm, reserve) : bidPrice(amm, reserve);
  updateMarkAverages(market, now, quoted, direction);
  const swap = swapBase(amm, size, direction);
  const makerPrice = order.postOnly ? limit : undefined;
  const quote = makerPrice === undefined ? swap.quote : makerQuote(size, makerPrice, direction);
  const surplus =
    makerPrice === undefined ? swap.surplus : isLong ? quote - swap.quote : swap.quote - quote;
  const base = isLong ? size : -size;
  tradePosition(position, market, base, isLong ? -quote : quote);
  amm.baseAssetAmountWithAmm += base;
  demand(abs(amm.baseAssetAmountWithAmm) <= MAX_NET_POSITION, "InvalidAmmDetected");
  updateSpreadReserves(amm);
  if (limit !== undefined) demandFillPrice(order, size, quote, limit);

  const fees = feesOf(task, order, quote, surplus);
  bookFees(task, position, fees, surplus);
  countVolumes(task, order, quote);
  rewardFiller(task, fees.reward, quote);
  const filled: DriftOrder = {
    ...order,
    baseAssetAmountFilled: order.baseAssetAmountFilled + size,
    quoteAssetAmountFilled: order.quoteAssetAmountFilled + quote,
  };
  const isDone = unfilledOf(filled) === 0n;
  if (isDone) filled.status = ORDER_STATUS.filled;
  user.orders[index] = filled;
  addOpenOrder(position, direction, -size);
  emitOrderAction(context, address, filled, maps.oracle(amm.oracle).price, {
    action: ORDER_ACTION.fill,
    actionExplanation: EXPLANATION.filledWithAmm,
    filler: task.fillerAddress,
    fillerReward: fees.reward,
    fillRecordId: market.nextFillRecordId,
    baseAssetAmountFilled: size,
    quoteAssetAmountFilled: quote,
    takerFee: fees.fee,
    makerFee: fees.rebate === 0n ? null : -fees.rebate,
    quoteAssetAmountSurplus: surplus,
  });
  market.nextFillRecordId += 1n;
  if (isDone) removeOrder(user, index, position);
  return { base: size, quote };
}
