import { mulDiv } from "../../../domain/amount.ts";
import { type Market, PRICE_DECIMALS } from "../../../domain/market.ts";
import { findMarket } from "../../../venues/profiles.ts";
import { isNear } from "../../../domain/limit-use.ts";
import { failureUse, recordOrderEnd, type RiskLedger } from "../../../domain/risk-ledger.ts";
import type { RestingOrder } from "../../../venues/placed-order.ts";
import {
  type BookedFill,
  recordChange,
  type RecordedChange,
} from "../../store/orders/order-outcomes.ts";
import type { KnownOrder } from "../../store/orders/orders.ts";
import { exitAfter, publishTrading } from "./exits.ts";
import type { LaneTurn } from "./lane-turn.ts";
import { publishOrderChange, publishPositionChange } from "./publish-order-change.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";

/** Outcome of a sent order on chain. `fills` is complete where no reason says otherwise. */
export type OrderOutcome =
  | {
      readonly event: "fill" | "fill_partly";
      readonly fills: readonly BookedFill[];
      readonly slot: bigint;
      /** Why the fills are not all; absent: the rest was not traded. */
      readonly reason?: string;
    }
  | {
      readonly event: "rest";
      readonly order: RestingOrder;
      readonly fills: readonly BookedFill[];
      readonly slot: bigint;
    }
  | {
      readonly event: "cancel" | "reject" | "expire";
      readonly reason: string;
      /** Set where it may have traded after all: accounts read before this slot are too old. */
      readonly slot?: bigint;
    };

/**
 * Records the outcome of a sent order with its trade log entry, its fills, the agent's risk figures and its exit, in
 * one transaction. A call without a turn is for an order given up earlier and needs no lane. Returns false when another
 * worker holds the lane.
 */
export async function recordOutcome(
  deps: TradingDeps,
  order: KnownOrder,
  agent: TradingAgent,
  turn: LaneTurn | null,
  outcome: OrderOutcome,
): Promise<boolean> {
  const fills = "fills" in outcome ? outcome.fills : [];
  const event = eventOf(order, outcome);
  const isOver = event !== "rest";
  const exit = isOver ? exitAfter(deps, order, agent, turn?.exit ?? null, event === "fill") : null;
  const atMs = deps.clock.now();
  const ledger =
    turn === null || !isOver ? null : recordOrderEnd(turn.ledger, endOf(order, fills), atMs);
  const isRecorded = await recordChange(
    deps.lanes,
    turn?.lane ?? { agentId: order.agentId, fence: null },
    {
      orderId: order.id,
      event,
      reason: reasonOf(event, outcome, order.intent),
      atMs,
      ledger,
      figures: fills.length > 0 ? fillFigures(fills, agent, order.intent?.marketId) : null,
      fills,
      slot: outcome.slot ?? null,
      resting: "order" in outcome ? outcome.order : null,
      exit,
    },
  );
  if (isRecorded) {
    const ids = { agentId: order.agentId, orderId: order.id };
    deps.log.debug({ ...ids, outcome: event, fills: fills.length }, "outcome recorded");
    publishOrderChange(deps, agent.record);
    publishPositionChange(deps, agent.record);
    const isOtherCondition = ledger !== null && turn !== null && isFailureTold(ledger, turn.ledger);
    if (exit !== null || isOtherCondition) publishTrading(deps, agent.record);
  }
  return isRecorded;
}

const endOf = ({ signal }: KnownOrder, fills: readonly BookedFill[]) => ({
  hasTraded: fills.length > 0,
  isEntry: signal.startsWith("OPEN_"),
});

/** Returns whether the displayed count of consecutive failures changed. */
const isFailureTold = (after: RiskLedger, before: RiskLedger): boolean =>
  after.consecutiveFailures !== before.consecutiveFailures &&
  (isNear(failureUse(after)) || isNear(failureUse(before)));

/** A close is complete only when the whole requested size was closed. */
function eventOf(order: KnownOrder, outcome: OrderOutcome): RecordedChange["event"] {
  if (outcome.event !== "fill" || order.intent?.reduceOnly !== true) return outcome.event;
  return sumOf(outcome.fills, "baseSize") >= order.intent.baseSize ? "fill" : "fill_partly";
}

function reasonOf(
  event: RecordedChange["event"],
  outcome: OrderOutcome,
  intent: KnownOrder["intent"],
): string | null {
  if (event === "fill_partly") return statedReason(outcome) ?? "partially_filled";
  if (event === "fill" && intent?.isLimited === true) return "limit_reduced";
  if (event === "rest") return "resting";
  return statedReason(outcome);
}

const statedReason = (outcome: OrderOutcome): string | null =>
  "reason" in outcome ? (outcome.reason ?? null) : null;

const sumOf = (fills: readonly BookedFill[], key: "baseSize" | "quoteSize" | "fee"): bigint =>
  fills.reduce((sum, fill) => sum + fill[key], 0n);

function fillFigures(
  fills: readonly BookedFill[],
  agent: TradingAgent,
  marketId = agent.record.marketId,
): NonNullable<RecordedChange["figures"]> {
  const venue = agent.place?.venue;
  const market = venue === undefined ? undefined : findMarket(venue.id, marketId);
  const baseSize = sumOf(fills, "baseSize");
  const quoteTotal = sumOf(fills, "quoteSize");
  const figures = { baseSize, quoteTotal, fee: sumOf(fills, "fee"), price: null };
  if (market === undefined || venue === undefined || baseSize === 0n) return figures;
  const quoteDecimals = venue.instance.quote.decimals;
  return { ...figures, price: averagePrice(quoteTotal, baseSize, market, quoteDecimals) };
}

/** Returns the average price in quote units with six decimals per whole asset, halves rounded up. */
function averagePrice(
  quoteTotal: bigint,
  baseSize: bigint,
  market: Market,
  quoteDecimals: number,
): bigint {
  const perWhole = 10n ** BigInt(market.baseDecimals + PRICE_DECIMALS);
  return mulDiv(quoteTotal, perWhole, baseSize * 10n ** BigInt(quoteDecimals), "half_up");
}
