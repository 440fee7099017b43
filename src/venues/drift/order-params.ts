import type { Side } from "../../domain/position.ts";
import {
  DIRECTION,
  IMMEDIATE_OR_CANCEL,
  MARKET_TYPE,
  ORDER_TYPE,
  type OrderParams,
} from "./instruction-arguments.ts";

const BPS = 10_000n;

/** Returns the worst acceptable price, a multiple of the tick, rounded so that it never exceeds the tolerance. */
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

/** Returns a market order that fills at once within its limit price and cancels what is left. */
export function marketOrderParams(order: {
  readonly marketIndex: number;
  readonly side: Side;
  readonly baseSize: bigint;
  readonly price: bigint;
  readonly reduceOnly: boolean;
}): OrderParams {
  return {
    orderType: ORDER_TYPE.market,
    marketType: MARKET_TYPE.perp,
    direction: order.side === "long" ? DIRECTION.long : DIRECTION.short,
    userOrderId: 0,
    baseAssetAmount: order.baseSize,
    price: order.price,
    marketIndex: order.marketIndex,
    reduceOnly: order.reduceOnly,
    postOnly: 0,
    bitFlags: IMMEDIATE_OR_CANCEL,
    maxTs: null,
    triggerPrice: null,
    triggerCondition: 0,
    oraclePriceOffset: null,
    auctionDuration: null,
    auctionStartPrice: null,
    auctionEndPrice: null,
  };
}
