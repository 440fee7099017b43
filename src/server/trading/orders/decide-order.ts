import { type Denied, denied } from "../../../domain/denial.ts";
import { isSignalFresh } from "../../../domain/freshness.ts";
import type { AgentId, OrderId } from "../../../domain/ids.ts";
import { findMarket } from "../../../domain/market.ts";
import type { Approved, OrderIntent } from "../../../domain/order/order.ts";
import { deriveIntent } from "../../../domain/order/order-intent.ts";
import { approve } from "../../../domain/risk.ts";
import { type RiskLedger, openRiskDay } from "../../../domain/risk-ledger.ts";
import { strictestOf } from "../../../domain/trading-state.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { MarketPrice, Venue, VenueAccount } from "../../../venues/venue.ts";
import { withRecordedFigures } from "../../positions/recorded-figures.ts";
import { type OpenOrder, countSentOrders } from "../../store/orders.ts";
import { readAccount } from "./read-account.ts";
import type { TradingAgent } from "../trading-agent.ts";
import type { TradingDeps } from "../trading-deps.ts";

/** An order that may be sent. `reopens`: once this closing is filled the signal still opens its own side. */
export interface DecidedOrder {
  readonly kind: "decided";
  readonly intent: Approved<OrderIntent>;
  readonly reopens: boolean;
  readonly account: VenueAccount;
  readonly place: NonNullable<TradingAgent["place"]>;
  readonly ledger: RiskLedger;
}

/** Says whether an order opens exposure by its signal; an order without an alert is the owner's closing. */
const isOpening = (order: OpenOrder) => order.signal.startsWith("OPEN_");

/**
 * Reads account and price, derives the order and checks it against every limit.
 *
 * Throws `ChainUnavailableError` when the venue cannot be read: a missing answer is never a flat account.
 */
export async function decideOrder(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  ledger: RiskLedger,
): Promise<DecidedOrder | Denied> {
  const { record, place, account } = agent;
  const isOwnersClosing = order.eventId === null;
  const nowMs = deps.clock.now();
  const isFresh = isSignalFresh(order.plannedAtMs, nowMs, record.maxSignalAgeSeconds);
  if (!isFresh && !isOwnersClosing) return denied("signal_expired");
  if (record.autoTrade !== "on" && isOpening(order)) return denied("stopping");
  if (record.autoTrade === "off" && !isOwnersClosing) return denied("stopping");
  if (place === null) return denied("network_disabled");
  if (account === null) return denied("sub_account_missing");
  const { venue } = place;
  const market = findMarket(venue.id, order.marketId ?? record.marketId);
  if (market === undefined) return denied("market_unknown");

  if ((await deps.custodyCheck(order.agentId)) !== null) return denied("custody_changed");
  const [health, price, state, sent] = await Promise.all([
    venue.health(),
    readPrice(venue, market.marketId),
    readAccount(deps.db, order.agentId, venue, account).then((read) =>
      withRecordedFigures(deps.db, venue, order.agentId, read),
    ),
    countSentOrders(deps.lanes, order.agentId, nowMs),
  ]);
  if (price === null || price.price <= 0n) return denied("stale_price");
  const quoteDecimals = venue.profile.quote.decimals;
  const derived = deriveIntent({
    orderId: order.id as OrderId,
    agentId: order.agentId as AgentId,
    signal: order.signal,
    leg: order.leg,
    market,
    account: state,
    price: price.price,
    quoteDecimals,
    slippageBps: record.slippageBps,
    positionSizePercent: record.positionSizePercent,
  });
  if (derived.kind === "denied") return derived;
  const todaysLedger = openRiskDay(ledger, utcDay(nowMs), state);
  const approval = approve(derived.intent, {
    nowMs,
    price,
    account: state,
    quoteDecimals,
    isVenueAvailable: health.status === "available",
    tradingState: strictestOf(
      deps.tradingState(),
      record.autoTrade === "on" ? "active" : "reducing",
    ),
    ledger: todaysLedger,
    ordersLastMinute: sent.lastMinute,
    ordersLastHour: sent.lastHour,
    ordersLastMinuteEverywhere: sent.lastMinuteEverywhere,
    isOwnersClosing,
  });
  if (approval.kind === "denied") return approval;
  return {
    kind: "decided",
    intent: approval.intent,
    reopens: derived.reopens,
    account,
    place,
    ledger: todaysLedger,
  };
}

/** A venue that has no price for the market counts as one without a usable price. */
async function readPrice(venue: Venue, marketId: string): Promise<MarketPrice | null> {
  try {
    return await venue.price(marketId);
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw error;
    return null;
  }
}

const utcDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
