import { mulDiv } from "./amount.ts";
import { type Denied, denied } from "./denial.ts";
import type { Approved, OrderIntent } from "./order/order.ts";
import { notionalOf } from "./order/order-intent.ts";
import type { AccountState } from "./position.ts";
import { type RiskLedger, isLossLimitReached, stateFromLedger } from "./risk-ledger.ts";
import { type TradingState, strictestOf } from "./trading-state.ts";

/** Oldest price an order may be based on. */
export const MAX_PRICE_AGE_MS = 30_000;

/** Widest uncertainty of a price an order may be based on, in basis points of the price. */
export const MAX_CONFIDENCE_BPS = 200n;

/** Orders an agent may send. */
export const MAX_ORDERS_PER_MINUTE = 6;
export const MAX_ORDERS_PER_HOUR = 60;

/** Orders all agents together may send. */
export const MAX_ORDERS_PER_MINUTE_EVERYWHERE = 300;

/** A market's price as the venue gave it, quote units with six decimals, or null without an answer. */
export interface PriceReading {
  readonly price: bigint;
  readonly confidence: bigint;
  readonly publishedAtMs: number;
}

/** Everything the checks look at beside the order itself. */
export interface RiskContext {
  readonly nowMs: number;
  readonly price: PriceReading | null;
  readonly account: AccountState;
  readonly quoteDecimals: number;
  readonly isVenueAvailable: boolean;
  /** What the deployment and the owner's switch allow; the agent's own history comes from `ledger`. */
  readonly tradingState: TradingState;
  readonly ledger: RiskLedger;
  /** Orders sent within the last minute and hour. */
  readonly ordersLastMinute: number;
  readonly ordersLastHour: number;
  readonly ordersLastMinuteEverywhere: number;
  /** True for the owner's own closing when auto-trade is turned off: limits made against runaway rules let it pass. */
  readonly isOwnersClosing: boolean;
}

/** Says whether a price is fresh and certain enough to trade on. A price from the future is not. */
export function isPriceUsable(price: PriceReading | null, nowMs: number): boolean {
  if (price === null || price.price <= 0n) return false;
  const ageMs = nowMs - price.publishedAtMs;
  return (
    Math.abs(ageMs) <= MAX_PRICE_AGE_MS &&
    price.confidence <= mulDiv(price.price, MAX_CONFIDENCE_BPS, 10_000n, "down")
  );
}

/** Checks an order against every limit. Only what this returns as approved can reach a venue. */
export function approve(
  intent: OrderIntent,
  context: RiskContext,
): { readonly kind: "approved"; readonly intent: Approved<OrderIntent> } | Denied {
  const refusal =
    checkState(intent, context) ??
    checkPrice(context) ??
    checkRates(context) ??
    checkSize(intent, context);
  return refusal ?? { kind: "approved", intent: intent as Approved<OrderIntent> };
}

function checkState(intent: OrderIntent, context: RiskContext): Denied | null {
  const history = context.isOwnersClosing
    ? "active"
    : stateFromLedger(context.ledger, context.account);
  const state = strictestOf(context.tradingState, history);
  if (state === "halted") return denied("trading_halted");
  if (intent.reduceOnly) return null;
  if (!context.isVenueAvailable) return denied("venue_unavailable");
  if (state === "active") return null;
  const isByLoss =
    context.tradingState === "active" && isLossLimitReached(context.ledger, context.account);
  return denied(isByLoss ? "loss_limit" : "reducing_only");
}

function checkPrice(context: RiskContext): Denied | null {
  return isPriceUsable(context.price, context.nowMs) ? null : denied("stale_price");
}

function checkRates(context: RiskContext): Denied | null {
  if (context.isOwnersClosing) return null;
  if (
    context.ordersLastMinute >= MAX_ORDERS_PER_MINUTE ||
    context.ordersLastHour >= MAX_ORDERS_PER_HOUR
  ) {
    return denied("too_many_orders");
  }
  return context.ordersLastMinuteEverywhere >= MAX_ORDERS_PER_MINUTE_EVERYWHERE
    ? denied("too_many_orders_everywhere")
    : null;
}

function checkSize(intent: OrderIntent, context: RiskContext): Denied | null {
  if (intent.baseSize <= 0n) return denied("size_too_small");
  if (intent.reduceOnly) return null;
  const { referencePrice, market, baseSize } = intent;
  const notional = notionalOf(baseSize, referencePrice, market, context.quoteDecimals);
  return notional > context.account.freeCollateral ? denied("notional_exceeds_collateral") : null;
}
