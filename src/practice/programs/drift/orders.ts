import { marginRatio, OPEN_ORDER_MARGIN } from "../../../venues/drift/margin.ts";
import type { Address } from "@solana/kit";
import {
  type OrderParams,
  DIRECTION,
  MARKET_TYPE,
  ORDER_TYPE,
} from "../../../venues/drift/instruction-arguments.ts";
import {
  type DriftPerpMarket,
  MARGIN_PRECISION,
} from "../../../venues/drift/layout-perp-market.ts";
import { MARKET_STATUS } from "../../../venues/drift/layout-spot-market.ts";
import type { DriftState } from "../../../venues/drift/layout-state.ts";
import {
  type DriftOrder,
  type DriftPerpPosition,
  type DriftUser,
  ORDER_STATUS,
  orderCodec,
} from "../../../venues/drift/layout-user.ts";
import { ORDER_ACTION } from "../../../venues/drift/order-action-record.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { askPrice, bidPrice, reservePrice, PRICE_PRECISION } from "./curve.ts";
import { demand, ExchangeRefusal } from "./exchange-failures.ts";
import type { ExchangeMaps } from "./exchange-maps.ts";
import { abs, fitsI64, fitsU64, max, min, toI64, toU64 } from "./integers.ts";
import {
  demandMargin,
  isBeingLiquidated,
  judgeMargin,
  USER_STATUS,
  worstCaseBase,
} from "./margin-check.ts";
import { type Auction, auctionOf, onTick } from "./order-auction.ts";
import { emitOrder, emitOrderAction, EXPLANATION } from "./order-events.ts";
import { mustBeTriggered, unfilledOf, validateOrder } from "./order-validation.ts";
import {
  addOpenOrder,
  addQuote,
  addQuoteAndBreakEven,
  positionOf,
  positionOrNew,
} from "./position-changes.ts";

/** Order size that stands for the largest size the collateral allows. */
const AS_MUCH_AS_POSSIBLE = 2n ** 64n - 1n;

/** Base units per quote unit. */
const BASE_PER_QUOTE = 1_000n;

const MOST_ROUNDS = 6;

/** Returns the order size that reverses the position's worst case. */
function sizeToFlip(position: DriftPerpPosition, worst: bigint, direction: number): bigint {
  const held = position.baseAssetAmount;
  if (worst < 0n && direction === DIRECTION.long) return abs(-worst - (held + position.openBids));
  if (worst > 0n && direction === DIRECTION.short) return abs(-worst - (held + position.openAsks));
  return 0n;
}

function affordableSize(
  user: DriftUser,
  market: DriftPerpMarket,
  maps: ExchangeMaps,
  free: bigint,
  worst: bigint,
): bigint {
  const { price } = maps.oracle(market.amm.oracle);
  const quotePrice = maps.spotPrice(maps.spot(market.quoteSpotMarketIndex), true).most;
  const ratioFor = (size: bigint) =>
    max(marginRatio(market, size, "initial"), BigInt(user.maxMarginRatio));
  const first = ratioFor(abs(worst));
  let [ratio, size] = [first, 0n];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const notional = ((free - OPEN_ORDER_MARGIN) * BASE_PER_QUOTE * MARGIN_PRECISION) / ratio;
    size = toU64((((notional * PRICE_PRECISION) / price) * PRICE_PRECISION) / quotePrice);
    ratio = ratioFor(abs(worst) + size);
    if (ratio === first) break;
  }
  return size;
}

/**
 * Returns an order's size rounded to the market's step; the largest u64 requests the largest size the collateral
 * allows.
 */
function sizeOf(
  params: OrderParams,
  user: DriftUser,
  position: DriftPerpPosition,
  market: DriftPerpMarket,
  maps: ExchangeMaps,
): bigint {
  const onStep = (size: bigint) => size - (size % market.amm.orderStepSize);
  if (params.baseAssetAmount !== AS_MUCH_AS_POSSIBLE) return onStep(params.baseAssetAmount);
  const { collateral, requirement } = judgeMargin(user, maps, "initial", true);
  const free = collateral - requirement;
  const worst = worstCaseBase(position);
  const flip = sizeToFlip(position, worst, params.direction);
  if (free <= 0n) {
    return onStep(min(flip, max(0n, abs(position.baseAssetAmount * 2n) - 1n)));
  }
  return onStep(toU64(affordableSize(user, market, maps, free, worst) + flip));
}

/** State of an instruction on a user's orders. The user is a draft that the instruction stores at its end. */
export interface OrderDesk {
  readonly context: InstructionContext;
  readonly state: DriftState;
  readonly maps: ExchangeMaps;
  readonly address: Address;
  readonly user: DriftUser;
}

const POST_ONLY = { none: 0, must: 1, try: 2, slide: 3 } as const;

/** Smallest `triggerCondition` of a triggered order. */
const FIRST_TRIGGERED_CONDITION = 2;

const EMPTY_ORDER: DriftOrder = {
  ...orderCodec.decode(new Uint8Array(orderCodec.fixedSize)),
  orderType: ORDER_TYPE.limit,
  marketType: MARKET_TYPE.perp,
};

/** Returns whether an order has been triggered. */
export function isTriggered(order: DriftOrder): boolean {
  return order.triggerCondition >= FIRST_TRIGGERED_CONDITION;
}

export function touchUser(user: DriftUser, slot: bigint): void {
  user.lastActiveSlot = slot;
  user.idle = false;
}

function countOrders(user: DriftUser, order: DriftOrder, change: 1 | -1): void {
  user.openOrders = Math.max(0, user.openOrders + change);
  user.hasOpenOrder = user.openOrders > 0;
  if (order.auctionDuration === 0) return;
  user.openAuctions = Math.max(0, user.openAuctions + change);
  user.hasOpenAuction = user.openAuctions > 0;
}

/** Frees the slot of a finished order and updates the open-order counts of position and user. */
export function removeOrder(user: DriftUser, index: number, position: DriftPerpPosition): void {
  const order = user.orders[index];
  if (order === undefined) throw new Error("An order was removed that is not there");
  countOrders(user, order, -1);
  user.orders[index] = EMPTY_ORDER;
  position.openOrders -= 1;
}

/** Details of a cancellation in its event. */
interface Cancellation {
  readonly actionExplanation?: number;
  readonly filler?: Address | null;
  readonly fillerReward?: bigint;
}

/** Cancels the unfilled rest of an open order. */
export function cancelOrder(desk: OrderDesk, index: number, how: Cancellation = {}): void {
  const { context, maps, address, user } = desk;
  const order = user.orders[index];
  if (order?.status !== ORDER_STATUS.open) throw new ExchangeRefusal("OrderNotOpen");
  const { oracle } = maps.perp(order.marketIndex).amm;
  emitOrderAction(context, address, order, maps.oracle(oracle).price, {
    action: ORDER_ACTION.cancel,
    fillerReward: 0n,
    ...how,
  });
  const position = positionOf(user, order.marketIndex);
  if (!mustBeTriggered(order) || isTriggered(order)) {
    addOpenOrder(position, order.direction, -unfilledOf(order));
  }
  removeOrder(user, index, position);
}

export function isExpired(order: DriftOrder, now: bigint): boolean {
  const canExpire = order.status === ORDER_STATUS.open && !mustBeTriggered(order);
  return canExpire && order.maxTs !== 0n && now > order.maxTs;
}

function expireOrders(desk: OrderDesk): void {
  for (const [index, order] of desk.user.orders.entries()) {
    if (!isExpired(order, desk.context.time.unixTime)) continue;
    cancelOrder(desk, index, { actionExplanation: EXPLANATION.expired });
  }
}

function limitPriceOf(params: OrderParams, { amm }: DriftPerpMarket): bigint {
  const price = onTick(params.price, amm.orderTickSize, params.direction);
  fitsU64(price);
  if (params.postOnly !== POST_ONLY.slide) return price;
  const reserve = reservePrice(amm);
  return params.direction === DIRECTION.long
    ? min(price, askPrice(amm, reserve) - amm.orderTickSize)
    : max(price, bidPrice(amm, reserve) + amm.orderTickSize);
}

function expiryOf(params: OrderParams, auction: Auction, now: bigint): bigint {
  if (params.maxTs !== null) return params.maxTs;
  const isTaking = params.orderType === ORDER_TYPE.market || params.orderType === ORDER_TYPE.oracle;
  return isTaking ? now + BigInt(Math.max(30, Math.floor(auction.duration / 2))) : 0n;
}

function increasesRisk(order: DriftOrder, position: DriftPerpPosition): boolean {
  if (order.reduceOnly) return false;
  const { baseAssetAmount: held, openBids, openAsks } = position;
  const base = toI64(order.baseAssetAmount);
  if (order.direction === DIRECTION.long) {
    return held >= 0n || fitsI64(openBids + base) > abs(held);
  }
  return held <= 0n || abs(fitsI64(openAsks - base)) > held;
}

function orderOf(
  desk: OrderDesk,
  params: OrderParams,
  auction: Auction,
  market: DriftPerpMarket,
  position: DriftPerpPosition,
  baseAssetAmount: bigint,
): DriftOrder {
  const { slot, unixTime } = desk.context.time;
  const { amm } = market;
  const trigger = onTick(params.triggerPrice ?? 0n, amm.orderTickSize, params.direction);
  return {
    ...EMPTY_ORDER,
    slot,
    price: limitPriceOf(params, market),
    baseAssetAmount,
    triggerPrice: fitsU64(trigger),
    auctionStartPrice: auction.start,
    auctionEndPrice: auction.end,
    maxTs: expiryOf(params, auction, unixTime),
    oraclePriceOffset: params.oraclePriceOffset ?? 0,
    orderId: desk.user.nextOrderId,
    marketIndex: params.marketIndex,
    status: ORDER_STATUS.open,
    orderType: params.orderType,
    marketType: params.marketType,
    userOrderId: params.userOrderId,
    existingPositionDirection: position.baseAssetAmount >= 0n ? DIRECTION.long : DIRECTION.short,
    direction: params.direction,
    reduceOnly: params.reduceOnly || market.status === MARKET_STATUS.reduceOnly,
    postOnly: params.postOnly !== POST_ONLY.none,
    bitFlags: params.bitFlags,
    triggerCondition: params.triggerCondition,
    auctionDuration: auction.duration,
  };
}

/** Returns whether the order may be placed; a try-post-only order that would cross is skipped without an error. */
function isPlaceable(
  order: DriftOrder,
  params: OrderParams,
  market: DriftPerpMarket,
  price: bigint,
  slot: bigint,
): boolean {
  try {
    validateOrder(order, market, price, slot);
    return true;
  } catch (error) {
    const isOptional = params.postOnly === POST_ONLY.try;
    if (!isOptional || !(error instanceof ExchangeRefusal)) throw error;
    if (error.error !== "PlacePostOnlyLimitFailure") throw error;
    return false;
  }
}

function demandClosing(order: DriftOrder, position: DriftPerpPosition): void {
  const held = position.baseAssetAmount;
  const closing = held > 0n ? DIRECTION.short : DIRECTION.long;
  demand(order.reduceOnly && held !== 0n, "InvalidOrderNotRiskReducing");
  demand(order.direction === closing, "InvalidOrderNotRiskReducing");
}

function demandOpenInterest(order: DriftOrder, { amm }: DriftPerpMarket): void {
  if (amm.maxOpenInterest === 0n) return;
  const side =
    order.direction === DIRECTION.long
      ? amm.baseAssetAmountLong + order.baseAssetAmount
      : amm.baseAssetAmountShort - order.baseAssetAmount;
  demand(abs(side) <= amm.maxOpenInterest, "MaxOpenInterest");
}

/** Refuses all orders of a blocked user or market. */
function demandOpenDesk(desk: OrderDesk, params: OrderParams): number {
  const { user, maps, state } = desk;
  demand(!isBeingLiquidated(user, maps, state), "UserIsBeingLiquidated");
  demand((user.status & USER_STATUS.bankrupt) === 0, "UserBankrupt");
  expireOrders(desk);
  const isReducing = (user.status & USER_STATUS.reduceOnly) !== 0;
  demand(!isReducing || params.reduceOnly, "UserReduceOnly");
  const index = user.orders.findIndex(({ status }) => status === ORDER_STATUS.init);
  demand(index >= 0, "MaxNumberOfOrders");
  const isIdTaken =
    params.userOrderId > 0 &&
    user.orders.some(({ userOrderId }) => userOrderId === params.userOrderId);
  demand(!isIdTaken, "UserOrderIdAlreadyInUse");
  return index;
}

export function isInSettlement(market: DriftPerpMarket, now: bigint): boolean {
  const isOver = market.status >= MARKET_STATUS.settlement;
  return isOver || (market.expiryTs !== 0n && now >= market.expiryTs);
}

/** Places an order. An expired order, or a try-post-only order that would cross, is skipped. */
export function placeOrder(desk: OrderDesk, params: OrderParams): void {
  const { context, state, maps, address, user } = desk;
  const { slot, unixTime: now } = context.time;
  const index = demandOpenDesk(desk, params);
  const market = maps.perp(params.marketIndex);
  demand(market.status !== MARKET_STATUS.initialized, "MarketBeingInitialized");
  demand(!isInSettlement(market, now), "MarketPlaceOrderPaused");
  const position = positionOrNew(user, params.marketIndex);
  demand(params.baseAssetAmount >= market.amm.orderStepSize, "OrderAmountTooSmall");

  const size = sizeOf(params, user, position, market, maps);
  const { price } = maps.oracle(market.amm.oracle);
  const auction = auctionOf(params, market, price, state.minPerpAuctionDuration);
  const maxTs = expiryOf(params, auction, now);
  if (maxTs !== 0n && maxTs < now) return;
  demand(params.marketType === MARKET_TYPE.perp, "InvalidOrderMarketType");
  const order = orderOf(desk, params, auction, market, position, size);
  user.nextOrderId = user.nextOrderId === 0xffff_ffff ? 1 : user.nextOrderId + 1;
  if (!isPlaceable(order, params, market, price, slot)) return;

  const isRiskier = increasesRisk(order, position);
  countOrders(user, order, 1);
  user.orders[index] = order;
  position.openOrders += 1;
  if (!mustBeTriggered(order)) addOpenOrder(position, order.direction, order.baseAssetAmount);
  demandMargin(user, maps, isRiskier ? "initial" : "maintenance", true);
  if (market.status === MARKET_STATUS.reduceOnly) demandClosing(order, position);
  if (isRiskier) demandOpenInterest(order, market);
  emitOrderAction(context, address, order, price, { action: ORDER_ACTION.place });
  emitOrder(context, address, order);
  touchUser(user, slot);
}

/** Charges the user the flat reward of a keeper who triggers or cancels an order. Returns what the keeper received. */
export function payFlatReward(
  { user, state, context }: OrderDesk,
  market: DriftPerpMarket,
  filler: DriftUser | undefined,
): bigint {
  if (filler === undefined) return 0n;
  const reward = state.perpFeeStructure.flatFillerFee;
  addQuoteAndBreakEven(positionOf(user, market.marketIndex), market, -reward);
  touchUser(filler, context.time.slot);
  try {
    addQuote(positionOrNew(filler, market.marketIndex), market, reward);
  } catch (error) {
    if (error instanceof ExchangeRefusal) return 0n;
    throw error;
  }
  return reward;
}
