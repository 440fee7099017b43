import type { Address } from "@solana/kit";
import type { OrderParams } from "../../../venues/drift/instruction-arguments.ts";
import { DIRECTION, MARKET_TYPE } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftOrder, DriftUser } from "../../../venues/drift/layout-user.ts";
import { ORDER_STATUS } from "../../../venues/drift/layout-user.ts";
import { ORDER_ACTION } from "../../../venues/drift/order-action-record.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { ShownMarkets } from "./exchange-accounts.ts";
import { ensure, exchangeFailure } from "./exchange-failures.ts";
import { isCovered, marginAccountOf } from "./exchange-margin.ts";
import { emitOrderAction } from "./order-events.ts";
import { findPosition, positionIn, withOrder, withPosition } from "./user-slots.ts";

/** Returns the base amount of the order that has not been filled. */
export function unfilledOf(order: DriftOrder): bigint {
  return order.baseAssetAmount - order.baseAssetAmountFilled;
}

/** Returns the user with an order's open amount changed, and one open order more or less. */
export function changeOpenAmount(
  context: InstructionContext,
  user: DriftUser,
  order: DriftOrder,
  change: { readonly base: bigint; readonly orders: number },
): DriftUser {
  const position = positionIn(context, user, order.marketIndex);
  const isLong = order.direction === DIRECTION.long;
  const openOrders = user.openOrders + change.orders;
  const changed = withPosition(user, {
    ...position,
    openBids: position.openBids + (isLong ? change.base : 0n),
    openAsks: position.openAsks - (isLong ? 0n : change.base),
    openOrders: position.openOrders + change.orders,
  });
  return { ...changed, openOrders, hasOpenOrder: openOrders > 0 };
}

function orderOf(params: OrderParams, base: bigint, orderId: number, slot: bigint): DriftOrder {
  return {
    slot,
    price: params.price,
    baseAssetAmount: base,
    baseAssetAmountFilled: 0n,
    quoteAssetAmountFilled: 0n,
    triggerPrice: params.triggerPrice ?? 0n,
    auctionStartPrice: params.auctionStartPrice ?? 0n,
    auctionEndPrice: params.auctionEndPrice ?? 0n,
    maxTs: params.maxTs ?? 0n,
    oraclePriceOffset: params.oraclePriceOffset ?? 0,
    orderId,
    marketIndex: params.marketIndex,
    status: ORDER_STATUS.open,
    orderType: params.orderType,
    marketType: params.marketType,
    userOrderId: params.userOrderId,
    existingPositionDirection: DIRECTION.long,
    direction: params.direction,
    reduceOnly: params.reduceOnly,
    postOnly: params.postOnly !== 0,
    bitFlags: params.bitFlags,
    triggerCondition: params.triggerCondition,
    auctionDuration: params.auctionDuration ?? 0,
    padding: new Uint8Array(3),
  };
}

function increasesRisk(user: DriftUser, order: DriftOrder): boolean {
  const held = findPosition(user, order.marketIndex)?.baseAssetAmount ?? 0n;
  const isLong = order.direction === DIRECTION.long;
  const isOpposite = isLong ? held < 0n : held > 0n;
  const size = held < 0n ? -held : held;
  return !order.reduceOnly && (!isOpposite || order.baseAssetAmount > size);
}

/** Places an order for the user; the amount is rounded down to the market's step. */
export function placeOrder(
  context: InstructionContext,
  taker: Address,
  user: DriftUser,
  params: OrderParams,
  markets: ShownMarkets,
): { readonly user: DriftUser; readonly order: DriftOrder } {
  ensure(context, params.marketType === MARKET_TYPE.perp, "InvalidOrderMarketType");
  const market = markets.perp(params.marketIndex).value;
  const oracle = markets.price(market);
  const { orderStepSize, minOrderSize } = market.amm;
  const base = params.baseAssetAmount - (params.baseAssetAmount % orderStepSize);
  ensure(context, base > 0n, "OrderAmountTooSmall");
  ensure(context, params.reduceOnly || base >= minOrderSize, "InvalidOrderMinOrderSize");
  const place = user.orders.findIndex(({ status }) => status !== ORDER_STATUS.open);
  if (place < 0) throw exchangeFailure(context, "MaxNumberOfOrders");

  const order = orderOf(params, base, user.nextOrderId, context.time.slot);
  const placed: DriftUser = {
    ...user,
    orders: user.orders.with(place, order),
    nextOrderId: user.nextOrderId + 1,
    lastActiveSlot: context.time.slot,
  };
  const counted = changeOpenAmount(context, placed, order, { base, orders: 1 });
  if (increasesRisk(user, order)) {
    ensure(context, oracle.isFresh, "InvalidOracle");
    const isAffordable = isCovered(marginAccountOf(counted, markets), "initial");
    ensure(context, isAffordable, "InsufficientCollateral");
  }
  emitOrderAction(context, taker, order, oracle.price, { action: ORDER_ACTION.place });
  return { user: counted, order };
}

/** Cancels what is left of an open order. */
export function cancelOrder(
  context: InstructionContext,
  taker: Address,
  user: DriftUser,
  order: DriftOrder,
  oraclePrice: bigint,
): DriftUser {
  const closed = withOrder(user, { ...order, status: ORDER_STATUS.canceled });
  const change = { base: -unfilledOf(order), orders: -1 };
  const counted = changeOpenAmount(context, closed, order, change);
  emitOrderAction(context, taker, order, oraclePrice, { action: ORDER_ACTION.cancel });
  return counted;
}
