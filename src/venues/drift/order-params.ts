import type { Side } from "../../domain/position.ts";
import {
  DIRECTION,
  IMMEDIATE_OR_CANCEL,
  MARKET_TYPE,
  MODIFY_POLICY,
  ORDER_TYPE,
  type OrderChange,
  type OrderParams,
  TRIGGER_CONDITION,
} from "./instruction-arguments.ts";

const BPS = 10_000n;

/** Longest auction in slots that the program gives an order. */
const MAX_AUCTION_SLOTS = 180;

/**
 * Returns the worst acceptable price as a multiple of the tick, rounded so that it never exceeds the slippage limit.
 */
export function limitPrice(
  side: Side,
  referencePrice: bigint,
  slippageBps: number,
  tick: bigint,
): bigint {
  const step = tick > 0n ? tick : 1n;
  const tolerance = BigInt(slippageBps);
  if (side === "long") {
    const highest = (referencePrice * (BPS + tolerance)) / BPS;
    return highest - (highest % step);
  }
  const lowest = (referencePrice * (BPS - tolerance) + BPS - 1n) / BPS;
  return lowest % step === 0n ? lowest : lowest + step - (lowest % step);
}

/** Terms of an order independent of its type. `price` is the worst acceptable one. */
export interface OrderTerms {
  readonly marketIndex: number;
  readonly side: Side;
  readonly baseSize: bigint;
  readonly price: bigint;
  readonly reduceOnly: boolean;
}

/** Auction of an order: start and end price, duration in slots, and expiry in Unix seconds. */
export interface OrderAuction {
  readonly startPrice: bigint;
  readonly endPrice: bigint;
  readonly duration: number;
  readonly maxTs: bigint;
}

const plain = (terms: OrderTerms) => ({
  marketType: MARKET_TYPE.perp,
  direction: terms.side === "long" ? DIRECTION.long : DIRECTION.short,
  userOrderId: 0,
  baseAssetAmount: terms.baseSize,
  price: terms.price,
  marketIndex: terms.marketIndex,
  reduceOnly: terms.reduceOnly,
  postOnly: 0,
  triggerPrice: null,
  triggerCondition: 0,
  oraclePriceOffset: null,
});

const UNTIMED = {
  maxTs: null,
  auctionDuration: null,
  auctionStartPrice: null,
  auctionEndPrice: null,
};

/** Returns an immediate-or-cancel limit order. */
export function takeOrderParams(terms: OrderTerms): OrderParams {
  return {
    ...plain(terms),
    ...UNTIMED,
    orderType: ORDER_TYPE.limit,
    bitFlags: IMMEDIATE_OR_CANCEL,
  };
}

/**
 * Returns a market order with an auction: makers may fill it during the auction and anybody against the AMM afterwards,
 * within its price, until it expires. A limit order would stay in the book at its worst price after the auction.
 */
export function auctionOrderParams(terms: OrderTerms, auction: OrderAuction): OrderParams {
  return {
    ...plain(terms),
    orderType: ORDER_TYPE.market,
    bitFlags: 0,
    maxTs: auction.maxTs,
    auctionDuration: auction.duration,
    auctionStartPrice: auction.startPrice,
    auctionEndPrice: auction.endPrice,
  };
}

/** Trigger of an order that rests until the oracle's price is beyond it; `userOrderId` is the account's own number for it. */
export interface OrderTrigger {
  readonly userOrderId: number;
  readonly triggerPrice: bigint;
  readonly triggersWhen: "above" | "below";
}

/** Returns an order that rests until it is triggered by anybody, and is then an auction that ends at its price. */
export function triggerOrderParams(terms: OrderTerms, trigger: OrderTrigger): OrderParams {
  return {
    ...plain(terms),
    ...UNTIMED,
    orderType: ORDER_TYPE.triggerLimit,
    bitFlags: 0,
    userOrderId: trigger.userOrderId,
    triggerPrice: trigger.triggerPrice,
    triggerCondition: TRIGGER_CONDITION[trigger.triggersWhen],
  };
}

/** Returns the change that makes an order this one, whatever it was; it fails when the order is gone. */
export function triggerOrderChange(terms: OrderTerms, trigger: OrderTrigger): OrderChange {
  const { direction, baseAssetAmount, price, reduceOnly, triggerPrice, triggerCondition } =
    triggerOrderParams(terms, trigger);
  return {
    direction,
    baseAssetAmount,
    price,
    reduceOnly,
    postOnly: null,
    immediateOrCancel: null,
    oraclePriceOffset: null,
    ...UNTIMED,
    triggerPrice,
    triggerCondition,
    policy: MODIFY_POLICY.must,
  };
}

/** Returns the terms of an order's parameters. */
export const termsOf = (params: OrderParams): OrderTerms => ({
  marketIndex: params.marketIndex,
  side: params.direction === DIRECTION.long ? "long" : "short",
  baseSize: params.baseAssetAmount,
  price: params.price,
  reduceOnly: params.reduceOnly,
});

/** Returns an order's auction, or null when it would accept a price worse than the order's, lasts too long or never ends. */
export function soundAuction(params: OrderParams): OrderAuction | null {
  const { maxTs, auctionDuration, auctionStartPrice, auctionEndPrice, price, direction } = params;
  if (maxTs === null || auctionDuration === null) return null;
  if (auctionStartPrice === null || auctionEndPrice === null) return null;
  if (auctionDuration === 0 || auctionDuration > MAX_AUCTION_SLOTS) return null;
  const [best, worst] = [auctionStartPrice, auctionEndPrice];
  const isWithin =
    direction === DIRECTION.long
      ? 0n < best && best <= worst && worst <= price
      : best >= worst && worst >= price;
  return isWithin ? { startPrice: best, endPrice: worst, duration: auctionDuration, maxTs } : null;
}
