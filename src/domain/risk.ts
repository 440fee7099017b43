import { mulDiv } from "./amount.ts";
import { type Denied, denied } from "./denial.ts";
import { isReached, type LimitUse } from "./limit-use.ts";
import type { Approved, OrderIntent } from "./order/order.ts";
import { notionalOf } from "./order/order-intent.ts";
import type { AccountState } from "./position.ts";
import { MAX_EXIT_PRICE_AGE_MS } from "./exit.ts";
import { type RiskLedger, reducingByHistory } from "./risk-ledger.ts";
import type { TradingState } from "./trading-state.ts";

/** Oldest price an entry may be based on, in milliseconds. */
export const MAX_PRICE_AGE_MS = 30_000;

/** Widest uncertainty of a price an order may be based on, in basis points of the price. */
export const MAX_CONFIDENCE_BPS = 200n;

/** Orders an agent may send before its entries are denied. No number of orders keeps an exit from being sent. */
export const MAX_ORDERS_PER_MINUTE = 6;
export const MAX_ORDERS_PER_HOUR = 60;

/** Entries all agents of one owner may send on one network. */
export const MAX_ENTRIES_PER_MINUTE_OF_OWNER = 60;

/** Entries all agents of one network may send. */
export const MAX_ENTRIES_PER_MINUTE_OF_NETWORK = 300;

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
  /** Orders the agent sent within the last minute and hour. */
  readonly ordersLastMinute: number;
  readonly ordersLastHour: number;
  /** Entries sent within the last minute on the agent's network: by its owner's agents, and by everybody's. */
  readonly entriesLastMinuteOfOwner: number;
  readonly entriesLastMinuteOfNetwork: number;
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

/** Says whether an exit may be based on a price; its limit bounds what an old one can cost. */
export function isExitPriceUsable(price: PriceReading | null, nowMs: number): boolean {
  if (price === null || price.price <= 0n) return false;
  return Math.abs(nowMs - price.publishedAtMs) <= MAX_EXIT_PRICE_AGE_MS;
}

/**
 * Checks an order against every limit. Only what this returns as approved can reach a venue.
 *
 * What reduces exposure is refused for the operator's halt and for want of a price, never by the agent's own history.
 */
export function approve(
  intent: OrderIntent,
  context: RiskContext,
): { readonly kind: "approved"; readonly intent: Approved<OrderIntent> } | Denied {
  const refusal = intent.reduceOnly ? checkExit(intent, context) : checkEntry(intent, context);
  return refusal ?? { kind: "approved", intent: intent as Approved<OrderIntent> };
}

function checkExit(intent: OrderIntent, context: RiskContext): Denied | null {
  if (context.tradingState === "halted") return denied("trading_halted");
  if (!isExitPriceUsable(context.price, context.nowMs)) return denied("stale_price");
  return intent.baseSize <= 0n ? denied("size_too_small") : null;
}

function checkEntry(intent: OrderIntent, context: RiskContext): Denied | null {
  return (
    checkState(context) ?? checkPrice(context) ?? checkRates(context) ?? checkSize(intent, context)
  );
}

function checkState(context: RiskContext): Denied | null {
  if (context.tradingState === "halted") return denied("trading_halted");
  if (!context.isVenueAvailable) return denied("venue_unavailable");
  if (context.tradingState === "reducing") return denied("reducing_only");
  const reducing = reducingByHistory(context.ledger, context.nowMs);
  return reducing === null ? null : denied(reducing.reason);
}

function checkPrice(context: RiskContext): Denied | null {
  return isPriceUsable(context.price, context.nowMs) ? null : denied("stale_price");
}

/** How far an agent has used up the orders it may send. */
export function orderUses({
  ordersLastMinute,
  ordersLastHour,
}: Pick<RiskContext, "ordersLastMinute" | "ordersLastHour">): LimitUse[] {
  return [
    {
      limit: "orders_a_minute",
      used: BigInt(ordersLastMinute),
      most: BigInt(MAX_ORDERS_PER_MINUTE),
    },
    { limit: "orders_an_hour", used: BigInt(ordersLastHour), most: BigInt(MAX_ORDERS_PER_HOUR) },
  ];
}

function checkRates(context: RiskContext): Denied | null {
  if (orderUses(context).some(isReached)) return denied("too_many_orders");
  if (context.entriesLastMinuteOfOwner >= MAX_ENTRIES_PER_MINUTE_OF_OWNER) {
    return denied("too_many_orders_of_owner");
  }
  return context.entriesLastMinuteOfNetwork >= MAX_ENTRIES_PER_MINUTE_OF_NETWORK
    ? denied("too_many_orders_of_network")
    : null;
}

function checkSize(intent: OrderIntent, context: RiskContext): Denied | null {
  if (intent.baseSize <= 0n) return denied("size_too_small");
  const { referencePrice, market, baseSize } = intent;
  const notional = notionalOf(baseSize, referencePrice, market, context.quoteDecimals);
  return notional > context.account.freeCollateral ? denied("notional_exceeds_collateral") : null;
}
