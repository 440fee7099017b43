import type { OrderParams } from "../../../venues/drift/instruction-arguments.ts";
import { DIRECTION, ORDER_TYPE } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftOrder } from "../../../venues/drift/layout-user.ts";
import { demand, ExchangeRefusal } from "./exchange-failures.ts";
import { fitsI64, fitsU64, max, min, toI64, toU64 } from "./integers.ts";

/** Returns a price on the market's tick, rounded in favour of the order's owner. */
export function onTick(price: bigint, tick: bigint, direction: number): bigint {
  if (price === 0n) return 0n;
  const over = ((price % tick) + tick) % tick;
  if (over === 0n) return price;
  return direction === DIRECTION.long ? price - over : price + tick - over;
}

/** An order's auction: prices or offsets from the oracle price, and its duration in slots. */
export interface Auction {
  readonly start: bigint;
  readonly end: bigint;
  readonly duration: number;
}

const NO_AUCTION: Auction = { start: 0n, end: 0n, duration: 0 };

/** Divisor of the price that gives the range of an auction without prices of its own: half a percent. */
const DERIVED_SHARE = 200n;

/** Returns the start and end price of a market order's auction from its limit and the oracle price. */
function derivedPrices(
  direction: number,
  limit: bigint,
  oracle: bigint,
): readonly [start: bigint, end: bigint] {
  const sign = direction === DIRECTION.long ? 1n : -1n;
  const nearer = direction === DIRECTION.long ? min : max;
  const away = (price: bigint) => fitsI64(price + (sign * price) / DERIVED_SHARE);
  const ahead = (price: bigint) => fitsI64(price - (sign * price) / DERIVED_SHARE);
  if (limit <= 0n) return [oracle, away(oracle)];
  const isBetter = direction === DIRECTION.long ? limit < oracle : limit > oracle;
  return isBetter
    ? [nearer(ahead(limit), ahead(oracle)), limit]
    : [oracle, nearer(limit, away(oracle))];
}

/** Returns the auction an order is placed with. */
export function auctionOf(
  params: OrderParams,
  { amm }: DriftPerpMarket,
  oraclePrice: bigint,
  leastDuration: number,
): Auction {
  const { orderType, direction, auctionStartPrice, auctionEndPrice, auctionDuration } = params;
  const takes = [ORDER_TYPE.market, ORDER_TYPE.oracle, ORDER_TYPE.limit] as const;
  if (!takes.some((type) => type === orderType)) return NO_AUCTION;
  const onMarketTick = (price: bigint) => onTick(price, amm.orderTickSize, direction);
  if (orderType === ORDER_TYPE.limit) {
    if (auctionStartPrice === null || auctionEndPrice === null || auctionDuration === null) {
      return NO_AUCTION;
    }
    const duration = auctionDuration === 0 ? 0 : Math.max(auctionDuration, leastDuration);
    return { start: onMarketTick(auctionStartPrice), end: onMarketTick(auctionEndPrice), duration };
  }
  const duration = Math.max(auctionDuration ?? 0, leastDuration);
  const hasPrices = auctionStartPrice !== null && auctionEndPrice !== null;
  demand(hasPrices || orderType === ORDER_TYPE.market, "InvalidOrderAuction");
  const [start, end] = hasPrices
    ? [auctionStartPrice, auctionEndPrice]
    : derivedPrices(direction, toI64(params.price), oraclePrice);
  return { start: onMarketTick(start), end: onMarketTick(end), duration };
}

/** Returns whether an auction that began in a slot is complete. */
export function isAuctionComplete(begun: bigint, duration: number, slot: bigint): boolean {
  if (duration === 0) return true;
  demand(slot >= 0n, "MathError");
  return slot - begun > BigInt(duration);
}

function auctionOffset(order: DriftOrder, slot: bigint): bigint {
  const { auctionStartPrice: start, auctionEndPrice: end } = order;
  const duration = BigInt(order.auctionDuration);
  if (duration === 0n) return end;
  const passed = min(slot - order.slot, duration);
  const isLong = order.direction === DIRECTION.long;
  const change = ((isLong ? end - start : start - end) * passed) / duration;
  return isLong ? start + change : start - change;
}

/** Returns an auction's price in a slot. Refuses when it depends on a missing oracle price. */
export function auctionPrice(
  order: DriftOrder,
  slot: bigint,
  tick: bigint,
  oraclePrice: bigint | undefined,
): bigint {
  if (order.orderType !== ORDER_TYPE.oracle) {
    toU64(order.auctionStartPrice);
    toU64(order.auctionEndPrice);
    return onTick(fitsU64(auctionOffset(order, slot)), tick, order.direction);
  }
  if (oraclePrice === undefined) throw new ExchangeRefusal("OracleNotFound");
  const price = toU64(max(oraclePrice + auctionOffset(order, slot), tick));
  return onTick(price, tick, order.direction);
}

/** Returns the worst price an order accepts in a slot; undefined when it has no limit. */
export function limitOf(
  order: DriftOrder,
  oraclePrice: bigint | undefined,
  slot: bigint,
  tick: bigint,
): bigint | undefined {
  const hasPrices = order.auctionStartPrice !== 0n || order.auctionEndPrice !== 0n;
  if (hasPrices && !isAuctionComplete(order.slot, order.auctionDuration, slot)) {
    return auctionPrice(order, slot, tick, oraclePrice);
  }
  if (order.oraclePriceOffset !== 0) {
    if (oraclePrice === undefined) throw new ExchangeRefusal("OracleNotFound");
    const limit = max(oraclePrice + BigInt(order.oraclePriceOffset), tick);
    return onTick(toU64(limit), tick, order.direction);
  }
  return order.price === 0n ? undefined : order.price;
}
