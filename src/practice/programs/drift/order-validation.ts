import {
  DIRECTION,
  IMMEDIATE_OR_CANCEL,
  ORDER_TYPE,
} from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftOrder } from "../../../venues/drift/layout-user.ts";
import { sizeToPrice } from "./curve.ts";
import { demand, ExchangeRefusal } from "./exchange-failures.ts";
import { fitsU64, min, toI64, toU64 } from "./integers.ts";
import { limitOf } from "./order-auction.ts";

/** Largest `triggerCondition` of an order that has not been triggered. */
const LAST_UNTRIGGERED_CONDITION = 1;

/** Returns the unfilled size of an order; for a reduce-only order at most the size that closes the position. */
export function unfilledOf(order: DriftOrder, held?: bigint): bigint {
  const open = fitsU64(order.baseAssetAmount - order.baseAssetAmountFilled);
  if (held === undefined || !order.reduceOnly || order.postOnly) return open;
  const closes = order.direction === DIRECTION.long ? -held : held;
  return closes <= 0n ? 0n : min(open, closes);
}

export function mustBeTriggered(order: DriftOrder): boolean {
  return (
    order.orderType === ORDER_TYPE.triggerMarket || order.orderType === ORDER_TYPE.triggerLimit
  );
}

export function isLimitOrder(order: DriftOrder): boolean {
  return order.orderType === ORDER_TYPE.limit || order.orderType === ORDER_TYPE.triggerLimit;
}

const isImmediate = (order: DriftOrder) => (order.bitFlags & IMMEDIATE_OR_CANCEL) !== 0;

function validateSize(order: DriftOrder, { amm }: DriftPerpMarket): void {
  demand(order.baseAssetAmount > 0n, "InvalidOrderSizeTooSmall");
  demand(order.baseAssetAmount % amm.orderStepSize === 0n, "InvalidOrderNotStepSizeMultiple");
  const isEnough = order.reduceOnly || order.baseAssetAmount >= amm.minOrderSize;
  demand(isEnough, "InvalidOrderMinOrderSize");
}

function validateAuction(order: DriftOrder): void {
  const { auctionStartPrice: start, auctionEndPrice: end, price } = order;
  demand(start !== 0n && end !== 0n, "InvalidOrderAuction");
  const isLong = order.direction === DIRECTION.long;
  demand(isLong ? start <= end : start >= end, "InvalidOrderAuction");
  if (price === 0n) return;
  const last = toU64(end);
  demand(isLong ? price >= last : price <= last, "InvalidOrderAuction");
}

function validateMarketOrder(order: DriftOrder): void {
  const { auctionStartPrice, auctionEndPrice } = order;
  demand(auctionStartPrice > 0n && auctionEndPrice > 0n, "InvalidOrderAuction");
  validateAuction(order);
  demand(order.triggerPrice === 0n, "InvalidOrderTrigger");
  demand(!order.postOnly, "InvalidOrderPostOnly");
  demand(order.oraclePriceOffset === 0, "InvalidOrderOracleOffset");
  demand(!isImmediate(order), "InvalidOrderIOC");
}

function validateOracleOrder(order: DriftOrder): void {
  const { auctionStartPrice: start, auctionEndPrice: end } = order;
  const isLong = order.direction === DIRECTION.long;
  demand(isLong ? start <= end : start >= end, "InvalidOrderAuction");
  const offset = BigInt(order.oraclePriceOffset);
  const isWithin = offset === 0n || (isLong ? end <= offset : end >= offset);
  demand(isWithin, "InvalidOrderAuction");
  demand(order.triggerPrice === 0n, "InvalidOrderTrigger");
  demand(!order.postOnly, "InvalidOrderPostOnly");
  demand(order.price === 0n, "InvalidOrderLimitPrice");
  demand(!isImmediate(order), "InvalidOrderIOC");
}

/** Returns the size of an order that the AMM would fill up to a price. */
export function sizeUpToLimit(
  order: DriftOrder,
  { amm }: DriftPerpMarket,
  limit: bigint | undefined,
  held?: bigint,
): bigint {
  const open = unfilledOf(order, held);
  if (limit === undefined) return open - (open % amm.orderStepSize);
  const isLong = order.direction === DIRECTION.long;
  const inside = fitsU64(isLong ? limit - amm.orderTickSize : limit + amm.orderTickSize);
  const { size, direction } = sizeToPrice(amm, inside, order.direction);
  if (direction !== order.direction) return 0n;
  const most = min(open, size);
  return most - (most % amm.orderStepSize);
}

function validatePostOnly(
  order: DriftOrder,
  market: DriftPerpMarket,
  oraclePrice: bigint,
  slot: bigint,
): void {
  if (isImmediate(order)) return;
  const limit = limitOf(order, oraclePrice, slot, market.amm.orderTickSize);
  if (limit === undefined) throw new ExchangeRefusal("UnableToGetLimitPrice");
  if (sizeUpToLimit(order, market, limit) === 0n) return;
  const isLong = order.direction === DIRECTION.long;
  const price = toI64(limit);
  demand(isLong ? oraclePrice > price : oraclePrice < price, "PlacePostOnlyLimitFailure");
}

function validateLimitOrder(
  order: DriftOrder,
  market: DriftPerpMarket,
  oraclePrice: bigint,
  slot: bigint,
): void {
  const hasOffset = order.oraclePriceOffset !== 0;
  demand(order.price !== 0n || hasOffset, "InvalidOrderLimitPrice");
  demand(order.price === 0n || !hasOffset, "InvalidOrderLimitPrice");
  demand(order.triggerPrice === 0n, "InvalidOrderTrigger");
  const hasAuction = order.auctionDuration !== 0;
  if (order.postOnly) {
    demand(!hasAuction, "InvalidOrder");
    validatePostOnly(order, market, oraclePrice, slot);
  }
  if (hasAuction) {
    demand(!hasOffset, "InvalidOrder");
    validateAuction(order);
  } else {
    demand(order.auctionStartPrice === 0n && order.auctionEndPrice === 0n, "InvalidOrder");
  }
}

function validateTriggerOrder(order: DriftOrder): void {
  const isUntriggered = order.triggerCondition <= LAST_UNTRIGGERED_CONDITION;
  demand(isUntriggered, "InvalidTriggerOrderCondition");
  const isLimit = order.orderType === ORDER_TYPE.triggerLimit;
  demand(isLimit === order.price > 0n, "InvalidOrderLimitPrice");
  demand(order.triggerPrice > 0n, "InvalidOrderTrigger");
  demand(!order.postOnly, "InvalidOrderPostOnly");
  demand(order.oraclePriceOffset === 0, "InvalidOrderOracleOffset");
}

/** Refuses an invalid order with the error of its first fault. */
export function validateOrder(
  order: DriftOrder,
  market: DriftPerpMarket,
  oraclePrice: bigint,
  slot: bigint,
): void {
  validateSize(order, market);
  if (order.orderType === ORDER_TYPE.market) validateMarketOrder(order);
  else if (order.orderType === ORDER_TYPE.oracle) validateOracleOrder(order);
  else if (order.orderType === ORDER_TYPE.limit) {
    validateLimitOrder(order, market, oraclePrice, slot);
  } else validateTriggerOrder(order);
}
