import type { Side } from "../../domain/position.ts";
import {
  DIRECTION,
  IMMEDIATE_OR_CANCEL,
  MARKET_TYPE,
  ORDER_TYPE,
  type OrderParams,
} from "./instruction-arguments.ts";

const BPS = 10_000n;

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

/** Returns an immediate-or-cancel limit order. */
export function takeOrderParams(terms: OrderTerms): OrderParams {
  return {
    ...plain(terms),
    orderType: ORDER_TYPE.limit,
    bitFlags: IMMEDIATE_OR_CANCEL,
    maxTs: null,
    auctionDuration: null,
    auctionStartPrice: null,
    auctionEndPrice: null,
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
