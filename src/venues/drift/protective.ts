import type { Instruction, ReadonlyUint8Array } from "@solana/kit";
import type { ProtectiveExit, ProtectiveKey } from "../../domain/plan/demand.ts";
import type { Side } from "../../domain/position.ts";
import { sameBytes } from "../../solana/encoding/instruction.ts";
import type { RestingProtective, WantedProtective } from "../placed-order.ts";
import type { VenueAccount } from "../venue.ts";
import type { MarketReading } from "./exchange-reader.ts";
import { type DriftInstance, tradedMarket } from "./instance.ts";
import {
  DIRECTION,
  driftArguments,
  MARKET_TYPE,
  ORDER_TYPE,
  TRIGGER_CONDITION,
} from "./instruction-arguments.ts";
import {
  accountsOf,
  type MarketAccounts,
  modifyOrderByUserId,
  placePerpOrder,
} from "./instructions.ts";
import { type DriftOrder, type DriftUser, ORDER_STATUS } from "./layout-user.ts";
import {
  limitPrice,
  type OrderTerms,
  type OrderTrigger,
  triggerOrderChange,
  triggerOrderParams,
} from "./order-params.ts";
import { readExactly } from "./read-exactly.ts";

/*
 * Protective orders: reduce-only trigger orders that rest at the exchange and that anybody may trigger. Ours have a number
 * of the account's own, by which the exchange changes them: the key's place, then the market.
 */

const KEYS: readonly ProtectiveKey[] = ["stop", "target-1", "target-2", "target-3", "target-4"];

/** First number of ours; below are those that the exchange's own page and other programs give. */
const FIRST_NUMBER = 100;

/** Markets of each key's numbers: five keys fit into the numbers up to 255. */
const MARKETS = 31;

/** Returns the account's own number for a protective order. Throws for a market beyond those that have numbers. */
function protectiveNumber(key: ProtectiveKey, marketIndex: number): number {
  if (marketIndex >= MARKETS)
    throw new RangeError(`Market ${marketIndex} has no protective orders`);
  return FIRST_NUMBER + KEYS.indexOf(key) * MARKETS + marketIndex;
}

/** Returns which protective order a number stands for, or null for a number that is none of ours. */
export function protectiveKeyOf(userOrderId: number, marketIndex: number): ProtectiveKey | null {
  const at = userOrderId - FIRST_NUMBER - marketIndex;
  return marketIndex < MARKETS && at % MARKETS === 0 ? (KEYS[at / MARKETS] ?? null) : null;
}

/** Returns whether an order is open and rests, or rested, until a price is reached. */
export const isTrigger = (order: DriftOrder): boolean =>
  order.status === ORDER_STATUS.open &&
  order.marketType === MARKET_TYPE.perp &&
  (order.orderType === ORDER_TYPE.triggerLimit || order.orderType === ORDER_TYPE.triggerMarket);

/** Returns whether an order is a protective one of ours, triggered or not. */
export const isOurs = (order: DriftOrder): boolean =>
  isTrigger(order) &&
  order.orderType === ORDER_TYPE.triggerLimit &&
  order.reduceOnly &&
  protectiveKeyOf(order.userOrderId, order.marketIndex) !== null;

/** Returns whether somebody has triggered an order: from then on it fills as any order with an auction. */
export const isTriggered = ({ triggerCondition }: DriftOrder): boolean =>
  triggerCondition >= TRIGGER_CONDITION.triggeredAbove;

const isAbove = ({ triggerCondition }: DriftOrder): boolean =>
  triggerCondition === TRIGGER_CONDITION.above ||
  triggerCondition === TRIGGER_CONDITION.triggeredAbove;

/** Returns on which side of its trigger the market's price triggers an order. */
export const triggersWhen = (order: DriftOrder): OrderTrigger["triggersWhen"] =>
  isAbove(order) ? "above" : "below";

/** Returns the stops of ours, triggered or not, that reduce a position on this side of a market. */
export const stopsOf = (
  orders: readonly DriftOrder[],
  market: number,
  side: Side,
): readonly DriftOrder[] =>
  orders.filter(
    (order) =>
      isOurs(order) &&
      order.marketIndex === market &&
      protectiveKeyOf(order.userOrderId, market) === "stop" &&
      order.direction === DIRECTION[side === "long" ? "short" : "long"],
  );

/** Returns the trigger orders of an account in the markets traded here, whoever placed them. */
export function restingProtective(
  instance: DriftInstance,
  user: DriftUser | null,
): readonly RestingProtective[] {
  return (user?.orders ?? []).filter(isTrigger).flatMap((order) => {
    const marketId = tradedMarket(instance, order.marketIndex);
    if (marketId === undefined) return [];
    return {
      venueOrderId: String(order.orderId),
      key: isOurs(order) ? protectiveKeyOf(order.userOrderId, order.marketIndex) : null,
      marketId,
      side: order.direction === DIRECTION.long ? ("long" as const) : ("short" as const),
      triggerPrice: order.triggerPrice,
      triggersWhen: triggersWhen(order),
      limitPrice: order.price,
      baseSize: order.baseAssetAmount - order.baseAssetAmountFilled,
      isOurs: isOurs(order),
      isTriggered: isTriggered(order),
    };
  });
}

/** Returns whether a price lets anybody trigger an order; the exchange compares strictly. */
export const isTriggerReached = (order: DriftOrder, price: bigint): boolean =>
  isAbove(order) ? price > order.triggerPrice : price < order.triggerPrice;

interface WantedOrder {
  readonly terms: OrderTerms;
  readonly trigger: OrderTrigger;
}

/** A protective order as an instruction places or changes it. */
interface ReadProtective extends WantedOrder {
  /** Whether the instruction has no bytes but those we make for it, and the number of one of ours. */
  readonly isExact: boolean;
}

/** Returns the order that an instruction lets rest until a price is reached; null for any other instruction. */
export function readProtective(data: ReadonlyUint8Array): ReadProtective | null {
  const placed = readExactly(driftArguments.placePerpOrder, data);
  if (placed !== null && placed.orderType !== ORDER_TYPE.triggerLimit) return null;
  const given = placed ?? readExactly(driftArguments.modifyOrderByUserId, data);
  if (given === null) return null;
  const { userOrderId } = given;
  const order = "change" in given ? given.change : given;
  // A change names no market: the number tells it
  const marketIndex = placed?.marketIndex ?? Math.max(0, (userOrderId - FIRST_NUMBER) % MARKETS);
  const terms: OrderTerms = {
    marketIndex,
    side: order.direction === DIRECTION.long ? "long" : "short",
    baseSize: order.baseAssetAmount ?? 0n,
    price: order.price ?? 0n,
    reduceOnly: order.reduceOnly ?? false,
  };
  const trigger: OrderTrigger = {
    userOrderId,
    triggerPrice: order.triggerPrice ?? 0n,
    triggersWhen: order.triggerCondition === TRIGGER_CONDITION.above ? "above" : "below",
  };
  const ours =
    placed === null
      ? driftArguments.modifyOrderByUserId.encode({
          userOrderId,
          change: triggerOrderChange(terms, trigger),
        })
      : driftArguments.placePerpOrder.encode(triggerOrderParams(terms, trigger));
  const isExact = protectiveKeyOf(userOrderId, marketIndex) !== null && sameBytes(ours, data);
  return { terms, trigger, isExact };
}

/** Returns the order of an exit; null where less than one step would be sold. Prices as the exchange rounds them. */
function orderOf(
  { market }: MarketReading,
  { key, side, baseSize, triggerPrice: price, triggersWhen }: ProtectiveExit,
  limitBps: number,
): WantedOrder | null {
  const { orderStepSize, orderTickSize: tick } = market.amm;
  const { marketIndex } = market;
  const size = baseSize - (baseSize % orderStepSize);
  if (size <= 0n) return null;
  const triggerPrice = limitPrice(side, price, 0, tick);
  return {
    terms: {
      marketIndex,
      side,
      baseSize: size,
      price: limitPrice(side, triggerPrice, limitBps, tick),
      reduceOnly: true,
    },
    trigger: { userOrderId: protectiveNumber(key, marketIndex), triggerPrice, triggersWhen },
  };
}

const isSame = (order: DriftOrder, { terms, trigger }: WantedOrder): boolean =>
  order.triggerPrice === trigger.triggerPrice &&
  isAbove(order) === (trigger.triggersWhen === "above") &&
  order.price === terms.price &&
  order.baseAssetAmount === terms.baseSize &&
  order.direction === DIRECTION[terms.side];

/** What makes the protective orders of a market the wanted ones; one that is triggered is left to fill. */
interface ProtectiveChange {
  /** Orders that are to be cancelled first. */
  readonly cancels: readonly number[];
  readonly instructions: readonly Instruction[];
}

/**
 * Returns the difference between the protective orders that rest in a market and the wanted ones. `present` are the
 * account's orders that will still be there.
 */
export function protectiveChange(
  instance: DriftInstance,
  account: VenueAccount,
  wanted: WantedProtective,
  exchange: {
    readonly present: readonly DriftOrder[];
    readonly market: MarketReading;
    readonly markets: MarketAccounts;
  },
): ProtectiveChange {
  const { present, market, markets } = exchange;
  const user = accountsOf(account);
  const by = account.tradingKey;
  const own = present.filter(
    (order) => isOurs(order) && order.marketIndex === market.market.marketIndex,
  );
  const orders = wanted.exits.flatMap((exit) => orderOf(market, exit, wanted.limitBps) ?? []);
  const numbers = new Set(orders.map(({ trigger }) => trigger.userOrderId));
  return {
    cancels: own.flatMap(({ userOrderId, orderId }) => (numbers.has(userOrderId) ? [] : orderId)),
    instructions: orders.flatMap((order) => {
      const { terms, trigger } = order;
      const { userOrderId } = trigger;
      const last = own.find((each) => each.userOrderId === userOrderId);
      if (last === undefined) {
        const params = triggerOrderParams(terms, trigger);
        return placePerpOrder(instance, user, by, params, markets);
      }
      if (isTriggered(last) || isSame(last, order)) return [];
      const change = triggerOrderChange(terms, trigger);
      return modifyOrderByUserId(instance, user, by, userOrderId, change, markets);
    }),
  };
}
