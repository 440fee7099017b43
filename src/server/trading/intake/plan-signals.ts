import { type EventId, parseOrderId } from "../../../domain/ids.ts";
import { scalesOf } from "../../../venues/profiles.ts";
import type { FiredSignal } from "../../../domain/rule-engine.ts";
import { isResetSignal } from "../../../domain/signal.ts";
import type { InboxAgent } from "../../store/intake/inbox.ts";
import type { NewOrder } from "../../store/orders/orders.ts";
import type { NewTradeLogEntry } from "../../store/trade-log/trade-log-writes.ts";

/** Orders for the agent's lane and trade log entries that result from an alert's signals. */
export interface PlannedSignals {
  readonly orders: readonly NewOrder[];
  readonly entries: readonly NewTradeLogEntry[];
}

/** Returns planned orders, denied orders and counter-reset log entries for the signals of one accepted alert. */
export function planSignals(
  signals: readonly FiredSignal[],
  cause: { readonly agent: InboxAgent; readonly eventId: EventId; readonly atMs: number },
  newId: () => string,
): PlannedSignals {
  const { agent, eventId, atMs } = cause;
  const scales = scalesOf(agent.venue, agent.marketId);
  const orders: NewOrder[] = [];
  const entries: NewTradeLogEntry[] = [];
  for (const { ruleId, signal, denied } of signals) {
    const orderId = isResetSignal(signal) ? null : parseOrderId(newId());
    if (orderId !== null && !isResetSignal(signal)) {
      orders.push({
        id: orderId,
        agentId: agent.agentId,
        eventId,
        signal,
        leg: 0,
        deniedFor: denied,
        marketId: null,
        exitId: null,
        plannedAtMs: atMs,
      });
    }
    entries.push({
      id: newId(),
      agentId: agent.agentId,
      chatId: agent.chatId,
      eventId,
      orderId,
      ruleId,
      market: agent.marketId,
      signal,
      status: orderId === null ? "success" : denied === null ? "pending" : "failed",
      reason: denied,
      percentage: signal.startsWith("OPEN_")
        ? agent.positionSizePercent
        : orderId === null
          ? 0
          : 100,
      ...scales,
      atMs,
    });
  }
  return { orders, entries };
}
