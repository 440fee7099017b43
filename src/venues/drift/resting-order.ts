import { ChainUnavailableError } from "../../solana/chain.ts";
import type { LandedOrder, RestingOrder, RestingProgress } from "../placed-order.ts";
import type { VenueAccount } from "../venue.ts";
import { budgeted } from "./build-order.ts";
import type { ExchangeReading } from "./exchange-reader.ts";
import { DIRECTION, MARKET_TYPE, ORDER_TYPE } from "./instruction-arguments.ts";
import {
  accountsOf,
  type MarketAccounts,
  cancelOrdersByIds,
  fillPerpOrder,
} from "./instructions.ts";
import { type DriftOrder, type DriftUser, ORDER_STATUS } from "./layout-user.ts";
import type { DriftInstance } from "./instance.ts";

/** Returns the market of an order while the AMM fills at its price, and whether that price is within the order's. */
function fillingMarket({ markets }: ExchangeReading, order: DriftOrder) {
  const market = markets.find((known) => known.market.marketIndex === order.marketIndex);
  if (market?.price.isFillable !== true) return null;
  const { price } = market.price;
  return {
    isWithin: order.direction === DIRECTION.long ? price <= order.price : price >= order.price,
  };
}

/** Returns whether the AMM would fill the order in the next block, according to the accounts. */
export function isFillable(reading: ExchangeReading, order: DriftOrder): boolean {
  const { state, slot } = reading;
  const duration = BigInt(Math.max(state.minPerpAuctionDuration, order.auctionDuration));
  return fillingMarket(reading, order)?.isWithin === true && slot - order.slot > duration;
}

/** Returns whether the market has passed the worst price of an order that closes: another one closes before it does. */
const isPassed = (reading: ExchangeReading, order: DriftOrder): boolean =>
  order.reduceOnly && fillingMarket(reading, order)?.isWithin === false;

/**
 * Returns the order with an auction that was placed in that slot with that purpose; null where there is not exactly one,
 * or the node has not seen the slot.
 */
export function restingFrom(
  marketIndex: number,
  { marketId, side, reduceOnly, slot }: LandedOrder,
  { reading, user }: { readonly reading: ExchangeReading; readonly user: DriftUser | null },
): RestingOrder | null {
  if (user === null || reading.slot < slot) return null;
  const [order, other] = user.orders.filter(
    (each) =>
      each.status === ORDER_STATUS.open &&
      each.orderType === ORDER_TYPE.market &&
      each.marketType === MARKET_TYPE.perp &&
      each.marketIndex === marketIndex &&
      each.direction === DIRECTION[side] &&
      each.reduceOnly === reduceOnly &&
      each.slot === slot,
  );
  if (order === undefined || other !== undefined) return null;
  return {
    venueOrderId: String(order.orderId),
    marketId,
    baseSize: order.baseAssetAmount,
    placedSlot: slot,
    // oxlint-disable-next-line house/no-float-money -- a time, not money
    expiresAtMs: Number(order.maxTs) * 1_000,
  };
}

/**
 * Returns the state of a resting order and what the trading key can do about it.
 *
 * Throws `ChainUnavailableError` while the answer may not cover the order: the node has not seen its transaction yet,
 * or returns no account before the order has expired.
 */
export function followFrom(
  instance: DriftInstance,
  account: VenueAccount,
  resting: RestingOrder,
  exchange: {
    readonly reading: ExchangeReading;
    readonly user: DriftUser | null;
    readonly markets: MarketAccounts;
  },
  nowMs: number,
): RestingProgress {
  const { reading, markets } = exchange;
  const isDead = nowMs > resting.expiresAtMs;
  if (reading.slot < resting.placedSlot) {
    throw new ChainUnavailableError("The node has not seen the resting order yet");
  }
  if (exchange.user === null && !isDead) {
    throw new ChainUnavailableError("The account of a resting order was not answered");
  }
  const order = exchange.user?.orders.find(
    ({ orderId, status }) =>
      status === ORDER_STATUS.open && String(orderId) === resting.venueOrderId,
  );
  if (order === undefined) return { kind: "gone" };
  const user = accountsOf(account);
  const filledBase = order.baseAssetAmountFilled;
  if (isDead || isPassed(reading, order)) {
    const { tradingKey } = account;
    const canceling = cancelOrdersByIds(instance, user, tradingKey, [order.orderId], markets);
    const transaction = { instructions: budgeted([canceling], 1) };
    return { kind: "cancellable", filledBase, transaction };
  }
  if (!isFillable(reading, order)) return { kind: "alive", filledBase };
  const filling = fillPerpOrder(instance, user, account.tradingKey, order.orderId, markets);
  return { kind: "fillable", filledBase, transaction: { instructions: budgeted([filling]) } };
}
