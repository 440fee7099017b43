import type { Address } from "@solana/kit";
import { getNullableCodec, getStructCodec, getU32Codec } from "@solana/kit";
import { anchorDiscriminator, withDiscriminator } from "../../../solana/anchor.ts";
import {
  driftArguments,
  IMMEDIATE_OR_CANCEL,
} from "../../../venues/drift/instruction-arguments.ts";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import { stateLayout } from "../../../venues/drift/layout-state.ts";
import type { DriftUserStats } from "../../../venues/drift/layout-user-stats.ts";
import { userStatsLayout } from "../../../venues/drift/layout-user-stats.ts";
import type { DriftOrder, DriftUser } from "../../../venues/drift/layout-user.ts";
import { ORDER_STATUS, userLayout } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { Loaded } from "../anchor.ts";
import { argumentsOf, loadAt, signerAt, store } from "../anchor.ts";
import type { ShownMarkets } from "./exchange-accounts.ts";
import {
  loadMarkets,
  loadStats,
  loadUser,
  requireRunning,
  requireStatsOf,
  requireTrader,
} from "./exchange-accounts.ts";
import { ensure, exchangeFailure } from "./exchange-failures.ts";
import { isCovered, marginAccountOf } from "./exchange-margin.ts";
import type { FillResult } from "./fill.ts";
import { fillOrder } from "./fill.ts";
import { settleFunding } from "./funding.ts";
import { cancelOrder, placeOrder } from "./orders.ts";
import { findOrder, findPosition } from "./user-slots.ts";

const optionalId = getNullableCodec(getU32Codec());

/** Arguments of the keeper's instruction; only keepers send it, so the venue has no encoder for it. */
export const fillArguments = withDiscriminator(
  anchorDiscriminator("global", "fill_perp_order"),
  getStructCodec([
    ["orderId", optionalId],
    ["makerOrderId", optionalId],
  ]),
);

interface Taker {
  readonly address: Address;
  readonly user: DriftUser;
  readonly stats: Loaded<DriftUserStats>;
}

/** Fills what can be filled now and writes statistics and market; the user is the caller's to write. */
function take(
  context: InstructionContext,
  taker: Taker,
  order: DriftOrder,
  markets: ShownMarkets,
  filler: Address | null,
): FillResult {
  const { perpFeeStructure } = loadAt(context, 0, "state", stateLayout).value;
  const tier = perpFeeStructure.feeTiers[0];
  if (tier === undefined) throw new Error("The exchange has no fee tier");
  const market = markets.perp(order.marketIndex);
  const oracle = markets.price(market.value);
  const before = findPosition(taker.user, order.marketIndex)?.baseAssetAmount ?? 0n;
  const result = fillOrder(context, {
    taker: taker.address,
    user: taker.user,
    stats: taker.stats.value,
    market: market.value,
    order,
    oracle,
    feeNumerator: BigInt(tier.feeNumerator),
    feeDenominator: BigInt(tier.feeDenominator),
    filler,
  });
  if (result.baseFilled === 0n) return result;
  const after = findPosition(result.user, order.marketIndex)?.baseAssetAmount ?? 0n;
  const hasGrown = (after < 0n ? -after : after) > (before < 0n ? -before : before);
  if (hasGrown) {
    const account = marginAccountOf(result.user, markets);
    ensure(context, isCovered(account, "initial"), "InsufficientCollateral");
  }
  store(context, taker.stats.address, userStatsLayout, result.stats);
  store(context, market.address, perpMarketLayout, result.market);
  return result;
}

/** Places an order that waits for a keeper. */
export function placePerpOrder(context: InstructionContext): void {
  const params = argumentsOf(context, driftArguments.placePerpOrder);
  const user = loadUser(context, 1);
  const trader = signerAt(context, 2, "authority");
  requireTrader(context, user.value, trader);
  requireRunning(context);
  const markets = loadMarkets(context, 3);
  const funded = settleFunding(user.value, markets);
  const placed = placeOrder(context, user.address, funded, params, markets);
  store(context, user.address, userLayout, placed.user);
}

/** Places an order and fills it at once; an immediate-or-cancel order's rest is canceled. */
export function placeAndTakePerpOrder(context: InstructionContext): void {
  const { params } = argumentsOf(context, driftArguments.placeAndTakePerpOrder);
  const user = loadUser(context, 1);
  const stats = loadStats(context, 2);
  const trader = signerAt(context, 3, "authority");
  requireTrader(context, user.value, trader);
  requireStatsOf(context, stats.value, user.value);
  requireRunning(context, "fillPaused");
  const markets = loadMarkets(context, 4);
  const funded = settleFunding(user.value, markets);
  const placed = placeOrder(context, user.address, funded, params, markets);
  const taker = { address: user.address, user: placed.user, stats };
  const result = take(context, taker, placed.order, markets, user.address);
  const isCanceled = (params.bitFlags & IMMEDIATE_OR_CANCEL) !== 0 || params.reduceOnly;
  const { price } = markets.price(markets.perp(params.marketIndex).value);
  const next =
    result.rest !== undefined && isCanceled
      ? cancelOrder(context, user.address, result.user, result.rest, price)
      : result.user;
  store(context, user.address, userLayout, next);
}

/** Fills a waiting order; any keeper with an account of its own may. */
export function fillPerpOrder(context: InstructionContext): void {
  const { orderId } = argumentsOf(context, fillArguments);
  const keeper = signerAt(context, 1, "authority");
  const filler = loadUser(context, 2);
  requireTrader(context, filler.value, keeper);
  const user = loadUser(context, 4);
  const stats = loadStats(context, 5);
  requireStatsOf(context, stats.value, user.value);
  requireRunning(context, "fillPaused");
  const markets = loadMarkets(context, 6);
  const order = findOrder(user.value, orderId ?? user.value.nextOrderId - 1);
  if (order === undefined) throw exchangeFailure(context, "OrderDoesNotExist");
  const funded = settleFunding(user.value, markets);
  const { price } = markets.price(markets.perp(order.marketIndex).value);
  const isExpired = order.maxTs > 0n && context.time.unixTime > order.maxTs;
  const next = isExpired
    ? cancelOrder(context, user.address, funded, order, price)
    : take(context, { address: user.address, user: funded, stats }, order, markets, filler.address)
        .user;
  store(context, user.address, userLayout, next);
}

/** Cancels every open order, or those of one market or direction. */
export function cancelOrders(context: InstructionContext): void {
  const { marketIndex, direction } = argumentsOf(context, driftArguments.cancelOrders);
  const user = loadUser(context, 1);
  const trader = signerAt(context, 2, "authority");
  requireTrader(context, user.value, trader);
  const markets = loadMarkets(context, 3);
  const canceled = user.value.orders
    .filter(
      (order) =>
        order.status === ORDER_STATUS.open &&
        (marketIndex === null || order.marketIndex === marketIndex) &&
        (direction === null || order.direction === direction),
    )
    .reduce((next, order) => {
      const { price } = markets.price(markets.perp(order.marketIndex).value);
      return cancelOrder(context, user.address, next, order, price);
    }, user.value);
  store(context, user.address, userLayout, canceled);
}
