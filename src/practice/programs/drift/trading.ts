import type { Address } from "@solana/kit";
import {
  type OrderChange,
  type OrderParams,
  driftArguments,
  IMMEDIATE_OR_CANCEL,
  MARKET_TYPE,
  MODIFY_POLICY,
  TRIGGER_CONDITION,
} from "../../../venues/drift/instruction-arguments.ts";
import {
  EXCHANGE_STATUS,
  stateLayout,
  type DriftState,
} from "../../../venues/drift/layout-state.ts";
import { type DriftUserStats, userStatsLayout } from "../../../venues/drift/layout-user-stats.ts";
import {
  type DriftOrder,
  type DriftUser,
  ORDER_STATUS,
  userLayout,
} from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import {
  accountAt,
  argumentsOf,
  constraintFailure,
  loadAt,
  loadMappedAt,
  requireWritable,
  signerAt,
  store,
} from "../anchor.ts";
import { requireStatsOf, requireTrader, statusOf, draftUser } from "./exchange-accounts.ts";
import { demand } from "./exchange-failures.ts";
import { type ExchangeMaps, loadMaps } from "./exchange-maps.ts";
import type { Filler } from "./fill.ts";
import { fillOrder } from "./fill-order.ts";
import { updateMarket } from "./market-update.ts";
import { cancelOrder, type OrderDesk, placeOrder, touchUser } from "./orders.ts";
import { unfilledOf } from "./order-validation.ts";

const LAST_ORDER_TYPE = 4;
const LAST_POST_ONLY = 3;
const LAST_TRIGGER_CONDITION = 3;

/** Order id that no order has; requested before a user's first order. */
const NO_ORDER_ID = 0xffff_ffff;

/** Fails, as the program's decoder does, on an unknown enumeration value. */
function requireKnown(context: InstructionContext, params: OrderParams): OrderParams {
  const isKnown =
    params.orderType <= LAST_ORDER_TYPE &&
    params.marketType <= 1 &&
    params.direction <= 1 &&
    params.postOnly <= LAST_POST_ONLY &&
    params.bitFlags <= IMMEDIATE_OR_CANCEL &&
    params.triggerCondition <= LAST_TRIGGER_CONDITION;
  if (!isKnown) throw constraintFailure(context, "InstructionDidNotDeserialize");
  return params;
}

/** Refuses while the whole exchange is paused. */
export function demandOpenExchange(state: DriftState): void {
  demand(statusOf(state) !== EXCHANGE_STATUS.all, "ExchangePaused");
}

function demandFills(state: DriftState): void {
  demand((statusOf(state) & EXCHANGE_STATUS.fillPaused) === 0, "ExchangePaused");
}

function lastOrderId(user: DriftUser): number {
  return user.nextOrderId === 1 ? NO_ORDER_ID : user.nextOrderId - 1;
}

/** Returns the accounts of an instruction that only places or cancels: state, user, signer. */
function openDesk(context: InstructionContext) {
  const state = loadAt(context, 0, "state", stateLayout).value;
  const { address, value } = loadMappedAt(context, 1, "user", userLayout);
  const trader = signerAt(context, 2, "authority");
  requireWritable(context, 1, "user");
  requireTrader(context, value, trader);
  return { state, address, user: draftUser(value) };
}

/** Places an order that a keeper fills later. */
export function placePerpOrder(context: InstructionContext): void {
  const params = requireKnown(context, argumentsOf(context, driftArguments.placePerpOrder));
  const { state, address, user } = openDesk(context);
  demandOpenExchange(state);
  const maps = loadMaps(context, state, 3);
  demand((params.bitFlags & IMMEDIATE_OR_CANCEL) === 0, "InvalidOrderIOC");
  placeOrder({ context, state, maps, address, user }, params);
  store(context, address, userLayout, user);
}

/** Fails, as the program's decoder does, on an unknown enumeration value of a change. */
function requireKnownChange(context: InstructionContext, change: OrderChange): OrderChange {
  const { direction, postOnly, triggerCondition, policy } = change;
  const isKnown =
    (direction ?? 0) <= 1 &&
    (postOnly ?? 0) <= LAST_POST_ONLY &&
    (triggerCondition ?? 0) <= LAST_TRIGGER_CONDITION &&
    (policy ?? 0) <= MODIFY_POLICY.must;
  if (!isKnown) throw constraintFailure(context, "InstructionDidNotDeserialize");
  return change;
}

/** Returns the order that a change makes of one; its auction is its own only where all of it is given. */
function changedParams(order: DriftOrder, change: OrderChange): OrderParams {
  const { auctionDuration, auctionStartPrice, auctionEndPrice } = change;
  const hasAuction =
    auctionDuration !== null && auctionStartPrice !== null && auctionEndPrice !== null;
  return {
    orderType: order.orderType,
    marketType: order.marketType,
    direction: change.direction ?? order.direction,
    userOrderId: order.userOrderId,
    baseAssetAmount: change.baseAssetAmount ?? unfilledOf(order),
    price: change.price ?? order.price,
    marketIndex: order.marketIndex,
    reduceOnly: change.reduceOnly ?? order.reduceOnly,
    postOnly: change.postOnly ?? (order.postOnly ? 1 : 0),
    bitFlags: 0,
    maxTs: change.maxTs ?? order.maxTs,
    triggerPrice: change.triggerPrice ?? order.triggerPrice,
    triggerCondition:
      change.triggerCondition ?? order.triggerCondition % TRIGGER_CONDITION.triggeredAbove,
    oraclePriceOffset: change.oraclePriceOffset ?? order.oraclePriceOffset,
    auctionDuration: hasAuction ? auctionDuration : null,
    auctionStartPrice: hasAuction ? auctionStartPrice : null,
    auctionEndPrice: hasAuction ? auctionEndPrice : null,
  };
}

/** Changes the order with a number of the user's own, by cancelling it and placing it anew. */
export function modifyOrderByUserId(context: InstructionContext): void {
  const asked = argumentsOf(context, driftArguments.modifyOrderByUserId);
  const change = requireKnownChange(context, asked.change);
  const { state, address, user } = openDesk(context);
  demandOpenExchange(state);
  const desk: OrderDesk = { context, state, maps: loadMaps(context, state, 3), address, user };
  const index = user.orders.findIndex(
    ({ userOrderId, status }) => userOrderId === asked.userOrderId && status === ORDER_STATUS.open,
  );
  const order = user.orders[index];
  if (order === undefined) {
    demand(change.policy !== MODIFY_POLICY.must, "OrderDoesNotExist");
    return;
  }
  cancelOrder(desk, index);
  touchUser(user, context.time.slot);
  placeOrder(desk, changedParams(order, change));
  store(context, address, userLayout, user);
}

interface Books {
  readonly desk: OrderDesk;
  readonly stats: DriftUserStats;
  readonly statsAddress: Address;
}

function keepBooks({ desk, stats, statsAddress }: Books, marketIndex: number): void {
  store(desk.context, desk.address, userLayout, desk.user);
  store(desk.context, statsAddress, userStatsLayout, stats);
  desk.maps.write(marketIndex);
}

/** Places an order and fills it at once; the unfilled rest of an immediate-or-cancel order is cancelled. */
export function placeAndTakePerpOrder(context: InstructionContext): void {
  const { params: asked } = argumentsOf(context, driftArguments.placeAndTakePerpOrder);
  const params = requireKnown(context, asked);
  const state = loadAt(context, 0, "state", stateLayout).value;
  const { address, value } = loadMappedAt(context, 1, "user", userLayout);
  const loaded = loadMappedAt(context, 2, "user_stats", userStatsLayout);
  const trader = signerAt(context, 3, "authority");
  requireWritable(context, 1, "user");
  requireTrader(context, value, trader);
  requireWritable(context, 2, "user_stats");
  requireStatsOf(context, loaded.value, value);
  demandFills(state);
  const maps = loadMaps(context, state, 4, { perp: params.marketIndex });
  demand(params.postOnly === 0, "InvalidOrderPostOnly");
  const makers = readMakers(context, maps.end);
  updateMarket(maps.perp(params.marketIndex), state, maps, context.time);

  const desk: OrderDesk = { context, state, maps, address, user: draftUser(value) };
  const stats = { ...loaded.value };
  placeOrder(desk, params);
  const orderId = lastOrderId(desk.user);
  const request = { desk, stats, orderId, fillerAddress: address, filler: undefined };
  fillOrder({ ...request, isOwnTake: true, makers });
  if ((params.bitFlags & IMMEDIATE_OR_CANCEL) !== 0) cancelById(desk, orderId);
  keepBooks({ desk, stats, statsAddress: loaded.address }, params.marketIndex);
}

function cancelById(desk: OrderDesk, orderId: number): void {
  const isIt = ({ orderId: id }: { orderId: number }) => id === orderId;
  if (!desk.user.orders.some(isIt)) return;
  const index = desk.user.orders.findIndex(
    (order) => isIt(order) && order.status === ORDER_STATUS.open,
  );
  if (index < 0) return;
  cancelOrder(desk, index);
  touchUser(desk.user, desk.context.time.slot);
}

/** Returns the filler who receives a reward: a keeper that is neither the taker nor of the taker's authority. */
function rewarded(
  filler: { readonly address: Address; readonly value: DriftUser },
  stats: DriftUserStats,
  taker: { readonly address: Address; readonly value: DriftUser },
): Filler | undefined {
  if (filler.address === taker.address) return undefined;
  if (filler.value.authority === taker.value.authority) return undefined;
  return { user: draftUser(filler.value), stats: { ...stats } };
}

/** Fills a resting order on behalf of any keeper with an account. */
export function fillPerpOrder(context: InstructionContext): void {
  const { orderId: asked } = argumentsOf(context, driftArguments.fillPerpOrder);
  const state = loadAt(context, 0, "state", stateLayout).value;
  const keeper = signerAt(context, 1, "authority");
  const filler = loadMappedAt(context, 2, "filler", userLayout);
  const fillerStats = loadMappedAt(context, 3, "filler_stats", userStatsLayout);
  const taker = loadMappedAt(context, 4, "user", userLayout);
  const takerStats = loadMappedAt(context, 5, "user_stats", userStatsLayout);
  requireWritable(context, 2, "filler");
  requireTrader(context, filler.value, keeper, "filler");
  requireWritable(context, 3, "filler_stats");
  requireStatsOf(context, fillerStats.value, filler.value, "filler_stats");
  requireWritable(context, 4, "user");
  requireWritable(context, 5, "user_stats");
  requireStatsOf(context, takerStats.value, taker.value);
  demandFills(state);
  const orderId = asked ?? lastOrderId(taker.value);
  const order = taker.value.orders.find((each) => each.orderId === orderId);
  if (order === undefined) return;
  const maps = loadMaps(context, state, 6, { perp: order.marketIndex });
  const makers = readMakers(context, maps.end);
  updateMarket(maps.perp(order.marketIndex), state, maps, context.time);

  const user = draftUser(taker.value);
  const desk: OrderDesk = { context, state, maps, address: taker.address, user };
  const stats = { ...takerStats.value };
  const paid = rewarded(filler, fillerStats.value, taker);
  const request = { desk, stats, orderId, fillerAddress: filler.address, filler: paid };
  fillOrder({ ...request, isOwnTake: false, makers });
  if (paid !== undefined) {
    store(context, filler.address, userLayout, paid.user);
    store(context, fillerStats.address, userStatsLayout, paid.stats);
  }
  keepBooks({ desk, stats, statsAddress: takerStats.address }, order.marketIndex);
}

/** Cancels these orders; one that is not open is passed over. */
export function cancelOrdersByIds(context: InstructionContext): void {
  const { orderIds } = argumentsOf(context, driftArguments.cancelOrdersByIds);
  const { state, address, user } = openDesk(context);
  demandOpenExchange(state);
  const desk: OrderDesk = { context, state, maps: loadMaps(context, state, 3), address, user };
  for (const orderId of orderIds) cancelById(desk, orderId);
  store(context, address, userLayout, user);
}

/** Cancels every open order, or those of one market or direction. */
export function cancelOrders(context: InstructionContext): void {
  const { marketType, marketIndex, direction } = argumentsOf(context, driftArguments.cancelOrders);
  if ((marketType ?? 0) > MARKET_TYPE.perp || (direction ?? 0) > 1) {
    throw constraintFailure(context, "InstructionDidNotDeserialize");
  }
  const { state, address, user } = openDesk(context);
  demandOpenExchange(state);
  const maps: ExchangeMaps = loadMaps(context, state, 3);
  const desk: OrderDesk = { context, state, maps, address, user };
  // A market is identified by both type and index, or not at all
  const isNamed = marketType !== null && marketIndex !== null;
  for (const [index, order] of user.orders.entries()) {
    if (order.status !== ORDER_STATUS.open) continue;
    if (isNamed && (order.marketType !== marketType || order.marketIndex !== marketIndex)) continue;
    if (direction !== null && order.direction !== direction) continue;
    cancelOrder(desk, index);
  }
  touchUser(user, context.time.slot);
  store(context, accountAt(context, 1).address, userLayout, user);
}

/**
 * Returns the makers given after the maps, each a user with its statistics, validated as the program does. They are not
 * matched: this exchange trades only its own curve.
 */
function readMakers(context: InstructionContext, first: number): ReadonlySet<Address> {
  const makers = new Set<Address>();
  const authorities = new Set<Address>();
  for (let at = first; ; at += 2) {
    const user = context.accounts[at];
    if (user === undefined) return makers;
    const { data, owner } = context.read(user.address);
    if (data.length < userLayout.size || !userLayout.matches(data)) return makers;
    demand(user.isWritable, "UserWrongMutability");
    demand(owner === context.programId, "InvalidUserAccount");
    makers.add(user.address);
    const stats = context.accounts[at + 1];
    demand(stats !== undefined, "UserStatsNotFound");
    const held = context.read(stats.address);
    const isStats = held.data.length >= userStatsLayout.size && userStatsLayout.matches(held.data);
    demand(isStats, "InvalidUserStatsAccount");
    const { authority } = userStatsLayout.decode(held.data);
    if (authorities.has(authority)) continue;
    demand(stats.isWritable, "UserStatsWrongMutability");
    demand(held.owner === context.programId, "InvalidUserStatsAccount");
    authorities.add(authority);
  }
}
