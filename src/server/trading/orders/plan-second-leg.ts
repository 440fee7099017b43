import { parseOrderId } from "../../../domain/ids.ts";
import type { DecisionFacts } from "../../store/orders/decisions.ts";
import type { Submission } from "../../store/orders/order-outcomes.ts";
import type { OpenOrder } from "../../store/orders/orders.ts";
import type { DecidedOrder } from "./decide-order.ts";
import type { TradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";

/** Returns the opening half of a reversal, planned together with the closing half that is sent now. */
export function planSecondLeg(
  deps: TradingDeps,
  { agentId, eventId, signal }: OpenOrder,
  agent: TradingAgent,
  { intent: { market }, place }: DecidedOrder,
  facts: DecisionFacts,
): NonNullable<Submission["secondLeg"]> {
  const orderId = parseOrderId(deps.newId());
  const atMs = deps.clock.now();
  const { marketId, baseDecimals } = market;
  const cause = { agentId, eventId, signal };
  return {
    order: {
      ...cause,
      id: orderId,
      leg: 1,
      deniedFor: null,
      marketId,
      exitId: null,
      plannedAtMs: atMs,
    },
    entry: {
      ...cause,
      id: deps.newId(),
      chatId: agent.record.chatId,
      orderId,
      ruleId: facts.cause.ruleId,
      market: marketId,
      status: "pending",
      reason: null,
      percentage: agent.record.positionSizePercent,
      baseDecimals,
      quoteDecimals: place.venue.instance.quote.decimals,
      atMs,
    },
  };
}
