import {
  DIRECTION,
  driftArguments,
  MARKET_TYPE,
  TRIGGER_CONDITION,
} from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { stateLayout } from "../../../venues/drift/layout-state.ts";
import { type DriftOrder, ORDER_STATUS, userLayout } from "../../../venues/drift/layout-user.ts";
import { ORDER_ACTION } from "../../../venues/drift/order-action-record.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { argumentsOf, loadAt, loadMappedAt, requireWritable, signerAt, store } from "../anchor.ts";
import { PRICE_PRECISION } from "./curve.ts";
import { requireTrader, draftUser } from "./exchange-accounts.ts";
import { demand } from "./exchange-failures.ts";
import { loadMaps } from "./exchange-maps.ts";
import { abs, clamp, divideUp, fitsI64, max, min, toI64 } from "./integers.ts";
import { isBeingLiquidated, judgeMargin, USER_STATUS, worstCaseBase } from "./margin-check.ts";
import { canTrigger, DEFAULT_GUARD_RAILS } from "./oracle-validity.ts";
import type { Auction } from "./order-auction.ts";
import { emitTrigger, EXPLANATION } from "./order-events.ts";
import { mustBeTriggered } from "./order-validation.ts";
import { cancelOrder, isTriggered, type OrderDesk, payFlatReward, touchUser } from "./orders.ts";
import { addOpenOrder, positionOf } from "./position-changes.ts";
import { demandOpenExchange } from "./trading.ts";

/** Shortest auction of a triggered order, and the bounds of one as long as its price range asks, in slots. */
const LEAST_TRIGGER_SLOTS = 30;
const [LEAST_SLOTS, MOST_SLOTS] = [10n, 180n];

/** Tiers up to B move a hundredth of a percent in a slot, others a little more. */
const SAFE_TIER = 1;
const SAFE_SLOTS_PER_PERCENT = 100n;
const SLOTS_PER_PERCENT = 60n;

/** Age difference of the oracle's and the market's averages from which neither says much, in seconds. */
const UNCERTAIN_SECONDS = 60n;

/** Divisors of the oracle's average that bound how far an auction's end lies from it, by contract tier. */
const END_DIVISORS = [
  [1_000n, 50n],
  [1_000n, 20n],
  [500n, 20n],
  [100n, 10n],
  [50n, 5n],
  [50n, 5n],
] as const;

/** Returns the distance from the oracle's price at which an auction begins. */
function startOffset({ amm, contractTier }: DriftPerpMarket, isLong: boolean): bigint {
  const history = amm.historicalOracleData;
  const slow = isLong ? toI64(amm.lastBidPriceTwap) : toI64(amm.lastAskPriceTwap);
  const apart = abs(fitsI64(history.lastOraclePriceTwapTs - amm.lastMarkPriceTwapTs));
  if (apart >= UNCERTAIN_SECONDS) {
    const divisor = contractTier <= SAFE_TIER ? 500n : 100n;
    return isLong ? slow / divisor : -(slow / divisor);
  }
  const fast = toI64(amm.lastMarkPriceTwap5min) - history.lastOraclePriceTwap5min;
  const share = (spread: number) => fitsI64(BigInt(spread) * slow) / (PRICE_PRECISION * 10n);
  const [long, short] = [share(amm.longSpread), share(amm.shortSpread)];
  const base = slow - history.lastOraclePriceTwap;
  return isLong ? min(base + long, fast - short) : max(base - short, fast + long);
}

/** Returns the distance from the oracle's price at which an auction ends. */
function endOffset(market: DriftPerpMarket, isLong: boolean, start: bigint): bigint {
  const { amm, contractTier } = market;
  const history = amm.historicalOracleData;
  const average = abs(history.lastOraclePriceTwap);
  const spread = BigInt(isLong ? amm.longSpread : amm.shortSpread);
  const widest = max(max(amm.markStd, amm.oracleStd), (spread * average) / PRICE_PRECISION);
  const [least, most] = END_DIVISORS[contractTier] ?? [50n, 5n];
  const buffer = clamp(widest * 2n, average / least, average / most);
  const end = isLong ? toI64(amm.lastAskPriceTwap + buffer) : toI64(amm.lastBidPriceTwap - buffer);
  const offset = end - history.lastOraclePriceTwap;
  return isLong ? max(offset, start) : min(offset, start);
}

/** Returns the auction that a triggered order begins, from the market's averages and within the order's price. */
function triggeredAuction(order: DriftOrder, market: DriftPerpMarket, oracle: bigint): Auction {
  const isLong = order.direction === DIRECTION.long;
  const startAt = startOffset(market, isLong);
  const start = fitsI64(oracle + startAt);
  const end = fitsI64(oracle + endOffset(market, isLong, startAt));
  const bounded = isLong ? min : max;
  const within = (price: bigint) => (order.price === 0n ? price : bounded(price, order.price));
  const [from, to] = [within(start), within(end)];
  const percent = (abs(to - from) * PRICE_PRECISION) / abs(oracle);
  const perPercent = market.contractTier <= SAFE_TIER ? SAFE_SLOTS_PER_PERCENT : SLOTS_PER_PERCENT;
  const slots = clamp(
    divideUp(percent * perPercent, PRICE_PRECISION / 100n),
    LEAST_SLOTS,
    MOST_SLOTS,
  );
  // oxlint-disable-next-line house/no-float-money -- slots, at most 180, not money
  return { start: from, end: to, duration: Math.max(LEAST_TRIGGER_SLOTS, Number(slots)) };
}

function demandTriggerable(order: DriftOrder): void {
  demand(order.status === ORDER_STATUS.open, "OrderNotOpen");
  demand(mustBeTriggered(order) && !isTriggered(order), "OrderNotTriggerable");
  demand(order.marketType === MARKET_TYPE.perp, "InvalidOrderMarketType");
}

function triggeredOrder(
  order: DriftOrder,
  market: DriftPerpMarket,
  price: bigint,
  slot: bigint,
): DriftOrder {
  const isAbove = order.triggerCondition === TRIGGER_CONDITION.above;
  const isReached = isAbove ? price > order.triggerPrice : price < order.triggerPrice;
  demand(isReached, "OrderDidNotSatisfyTriggerCondition");
  const { start, end, duration } = triggeredAuction(order, market, price);
  return {
    ...order,
    slot,
    triggerCondition: isAbove ? TRIGGER_CONDITION.triggeredAbove : TRIGGER_CONDITION.triggeredBelow,
    auctionStartPrice: start,
    auctionEndPrice: end,
    auctionDuration: duration,
  };
}

/** Triggers an order whose price is reached, on behalf of any keeper with an account, who is paid a flat reward. */
export function triggerOrder(context: InstructionContext): void {
  const { orderId } = argumentsOf(context, driftArguments.triggerOrder);
  const state = loadAt(context, 0, "state", stateLayout).value;
  const keeper = signerAt(context, 1, "authority");
  const filler = loadMappedAt(context, 2, "filler", userLayout);
  const taker = loadMappedAt(context, 3, "user", userLayout);
  requireWritable(context, 2, "filler");
  requireTrader(context, filler.value, keeper, "filler");
  requireWritable(context, 3, "user");
  demandOpenExchange(state);
  const maps = loadMaps(context, { ...state, ...DEFAULT_GUARD_RAILS }, 4);
  const index = taker.value.orders.findIndex((each) => each.orderId === orderId);
  const order = taker.value.orders[index];
  if (order === undefined) return;

  const user = draftUser(taker.value);
  const desk: OrderDesk = { context, state, maps, address: taker.address, user };
  const { slot } = context.time;
  demandTriggerable(order);
  demand(!isBeingLiquidated(user, maps, state), "UserIsBeingLiquidated");
  demand((user.status & USER_STATUS.bankrupt) === 0, "UserBankrupt");
  const market = maps.perpToChange(order.marketIndex);
  demand(canTrigger(maps.validity(market)), "InvalidOracle");
  const { price } = maps.oracle(market.amm.oracle);
  const triggered = triggeredOrder(order, market, price, slot);
  const position = positionOf(user, order.marketIndex);
  const before = abs(worstCaseBase(position));
  user.orders[index] = triggered;
  user.openAuctions += 1;
  user.hasOpenAuction = true;
  addOpenOrder(position, order.direction, order.baseAssetAmount);

  const paid = filler.address === taker.address ? undefined : draftUser(filler.value);
  const reward = payFlatReward(desk, market, paid);
  emitTrigger(context, taker.address, triggered, price, {
    action: ORDER_ACTION.trigger,
    filler: filler.address,
    fillerReward: reward,
    takerFee: reward,
  });
  if (!order.reduceOnly && abs(worstCaseBase(position)) > before) {
    const { collateral, requirement } = judgeMargin(user, maps, "initial", false);
    if (collateral < requirement) {
      const actionExplanation = EXPLANATION.insufficientCollateral;
      cancelOrder(desk, index, { actionExplanation, filler: filler.address });
    }
  }
  touchUser(user, slot);
  store(context, taker.address, userLayout, user);
  if (paid !== undefined) store(context, filler.address, userLayout, paid);
  maps.write(order.marketIndex);
}
