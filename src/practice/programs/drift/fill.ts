import type { Address } from "@solana/kit";
import { DIRECTION, ORDER_TYPE } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftUserStats } from "../../../venues/drift/layout-user-stats.ts";
import type {
  DriftOrder,
  DriftPerpPosition,
  DriftUser,
} from "../../../venues/drift/layout-user.ts";
import { ORDER_STATUS } from "../../../venues/drift/layout-user.ts";
import { BASE_PRECISION } from "../../../venues/drift/margin.ts";
import { FILLED_WITH_AMM, ORDER_ACTION } from "../../../venues/drift/order-action-record.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { OraclePrice } from "./exchange-accounts.ts";
import { fundingRateOf } from "./exchange-margin.ts";
import { emitOrderAction } from "./order-events.ts";
import { changeOpenAmount, unfilledOf } from "./orders.ts";
import { findPosition, positionIn, withOrder, withPosition } from "./user-slots.ts";

/** Spreads are of one million. */
const SPREAD_PRECISION = 1_000_000n;

/** Returns the price the exchange trades at: the oracle's, worse for the taker by the spread, on the market's tick. */
export function quotedPrice(market: DriftPerpMarket, oracle: bigint, isLong: boolean): bigint {
  const { longSpread, shortSpread, orderTickSize } = market.amm;
  if (isLong) {
    const exact = oracle + (oracle * BigInt(longSpread)) / SPREAD_PRECISION;
    const over = exact % orderTickSize;
    return over === 0n ? exact : exact + orderTickSize - over;
  }
  const exact = oracle - (oracle * BigInt(shortSpread)) / SPREAD_PRECISION;
  return exact - (exact % orderTickSize);
}

/** Returns the worst price the order accepts now; undefined when it accepts any. */
function limitOf(order: DriftOrder, oracle: bigint, slot: bigint): bigint | undefined {
  const elapsed = slot - order.slot;
  const duration = BigInt(order.auctionDuration);
  if (duration > 0n && elapsed < duration) {
    const { auctionStartPrice, auctionEndPrice } = order;
    const price = auctionStartPrice + ((auctionEndPrice - auctionStartPrice) * elapsed) / duration;
    return order.orderType === ORDER_TYPE.oracle ? oracle + price : price;
  }
  if (order.oraclePriceOffset !== 0) return oracle + BigInt(order.oraclePriceOffset);
  return order.price === 0n ? undefined : order.price;
}

function fillableAmount(user: DriftUser, order: DriftOrder): bigint {
  const open = unfilledOf(order);
  if (!order.reduceOnly) return open;
  const held = findPosition(user, order.marketIndex)?.baseAssetAmount ?? 0n;
  const closes = order.direction === DIRECTION.long ? -held : held;
  if (closes <= 0n) return 0n;
  return closes < open ? closes : open;
}

/** Returns the position after buying (positive) or selling (negative) `base` for `quote`, fee included. */
function tradedPosition(
  position: DriftPerpPosition,
  market: DriftPerpMarket,
  trade: { readonly base: bigint; readonly quote: bigint; readonly fee: bigint },
): DriftPerpPosition {
  const held = position.baseAssetAmount;
  const next = held + trade.base;
  const quoteAssetAmount = position.quoteAssetAmount + trade.quote - trade.fee;
  const heldSize = held < 0n ? -held : held;
  const tradeSize = trade.base < 0n ? -trade.base : trade.base;
  const isReducing = held !== 0n && held < 0n !== trade.base < 0n;
  const kept = isReducing ? (tradeSize >= heldSize ? 0n : heldSize - tradeSize) : heldSize;
  const opened = isReducing ? (tradeSize > heldSize ? tradeSize - heldSize : 0n) : tradeSize;
  const keep = (amount: bigint) => (heldSize === 0n ? 0n : (amount * kept) / heldSize);
  const added = (trade.quote * opened) / tradeSize;
  return {
    ...position,
    baseAssetAmount: next,
    quoteAssetAmount,
    quoteEntryAmount: keep(position.quoteEntryAmount) + added,
    quoteBreakEvenAmount:
      next === 0n ? 0n : keep(position.quoteBreakEvenAmount) + added - trade.fee,
    lastCumulativeFundingRate: next === 0n ? 0n : fundingRateOf(market, next),
  };
}

function tradedMarket(
  market: DriftPerpMarket,
  before: bigint,
  after: bigint,
  trade: { readonly base: bigint; readonly quote: bigint; readonly fee: bigint },
  now: bigint,
): DriftPerpMarket {
  const { amm } = market;
  const positive = (value: bigint) => (value > 0n ? value : 0n);
  const negative = (value: bigint) => (value < 0n ? value : 0n);
  const users = (after === 0n ? 0 : 1) - (before === 0n ? 0 : 1);
  const notional = trade.quote < 0n ? -trade.quote : trade.quote;
  return {
    ...market,
    nextFillRecordId: market.nextFillRecordId + 1n,
    numberOfUsersWithBase: market.numberOfUsersWithBase + users,
    amm: {
      ...amm,
      baseAssetAmountLong: amm.baseAssetAmountLong + positive(after) - positive(before),
      baseAssetAmountShort: amm.baseAssetAmountShort + negative(after) - negative(before),
      baseAssetAmountWithAmm: amm.baseAssetAmountWithAmm + trade.base,
      quoteAssetAmount: amm.quoteAssetAmount + trade.quote - trade.fee,
      totalFee: amm.totalFee + trade.fee,
      totalExchangeFee: amm.totalExchangeFee + trade.fee,
      volume24h: amm.volume24h + notional,
      lastTradeTs: now,
    },
  };
}

export interface FillInput {
  readonly taker: Address;
  readonly user: DriftUser;
  readonly stats: DriftUserStats;
  readonly market: DriftPerpMarket;
  readonly order: DriftOrder;
  readonly oracle: OraclePrice;
  /** Of `feeDenominator`. */
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
  readonly filler: Address | null;
}

export interface FillResult {
  readonly user: DriftUser;
  readonly stats: DriftUserStats;
  readonly market: DriftPerpMarket;
  /** The order if any of it is still open. */
  readonly rest: DriftOrder | undefined;
  readonly baseFilled: bigint;
}

/** Fills an order against the exchange at its quoted price, whole or, outside the order's limit, not at all. */
export function fillOrder(context: InstructionContext, input: FillInput): FillResult {
  const { taker, user, stats, market, order, oracle } = input;
  const untouched = { user, stats, market, rest: order, baseFilled: 0n };
  const isLong = order.direction === DIRECTION.long;
  const amount = fillableAmount(user, order);
  const price = quotedPrice(market, oracle.price, isLong);
  const limit = limitOf(order, oracle.price, context.time.slot);
  const isWithin = limit === undefined || (isLong ? price <= limit : price >= limit);
  if (amount === 0n || !oracle.isFresh || !isWithin) return untouched;

  // The taker pays the rounding: buys cost a unit more, sells bring a unit less
  const exact = amount * price;
  const notional = isLong ? (exact + BASE_PRECISION - 1n) / BASE_PRECISION : exact / BASE_PRECISION;
  const { feeNumerator, feeDenominator } = input;
  const fee = (notional * feeNumerator + feeDenominator - 1n) / feeDenominator;
  const trade = { base: isLong ? amount : -amount, quote: isLong ? -notional : notional, fee };
  const before = positionIn(context, user, order.marketIndex);
  const after = tradedPosition(before, market, trade);
  const filled: DriftOrder = {
    ...order,
    baseAssetAmountFilled: order.baseAssetAmountFilled + amount,
    quoteAssetAmountFilled: order.quoteAssetAmountFilled + notional,
  };
  const isDone = unfilledOf(filled) === 0n;
  const status = isDone ? ORDER_STATUS.filled : ORDER_STATUS.open;
  const change = { base: -amount, orders: isDone ? -1 : 0 };
  const counted = changeOpenAmount(context, withPosition(user, after), order, change);
  const now = context.time.unixTime;
  emitOrderAction(context, taker, filled, oracle.price, {
    action: ORDER_ACTION.fill,
    actionExplanation: FILLED_WITH_AMM,
    filler: input.filler,
    fillRecordId: market.nextFillRecordId,
    baseAssetAmountFilled: amount,
    quoteAssetAmountFilled: notional,
    takerFee: fee,
  });
  return {
    user: withOrder(counted, { ...filled, status }),
    stats: {
      ...stats,
      totalFeePaid: stats.totalFeePaid + fee,
      takerVolume30d: stats.takerVolume30d + notional,
      lastTakerVolume30dTs: now,
    },
    market: tradedMarket(market, before.baseAssetAmount, after.baseAssetAmount, trade, now),
    rest: isDone ? undefined : filled,
    baseFilled: amount,
  };
}
