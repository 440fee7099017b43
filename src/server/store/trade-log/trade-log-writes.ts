import type { AgentId, ChatId, EventId, OrderId } from "../../../domain/ids.ts";
import type { Signal } from "../../../domain/signal.ts";
import { tradeSide, tradeType, type TradeLogStatus } from "../../../domain/order/order-states.ts";
import type { Statement } from "../postgres/on.ts";
import { kindOf } from "../../../venues/profiles.ts";

/** A new trade log entry: an order without figures yet, or a counter reset. */
export interface NewTradeLogEntry {
  readonly id: string;
  readonly agentId: AgentId;
  readonly chatId: ChatId;
  readonly eventId: EventId | null;
  readonly orderId: OrderId | null;
  /** The rule that fired; null for an entry without a rule. */
  readonly ruleId: string | null;
  readonly market: string;
  readonly signal: Signal;
  readonly status: TradeLogStatus;
  readonly reason: string | null;
  readonly percentage: number;
  /** Null, as is `quoteDecimals`, when the market is unknown: such an entry never trades. */
  readonly baseDecimals: number | null;
  readonly quoteDecimals: number | null;
  readonly atMs: number;
}

/** Takes one JSON value, so that the statement is the same for any number of rows; a condition may be appended. */
export const INSERT_TRADE_LOG = (parameter: string): string =>
  `insert into trade_log (id, agent_id, chat_id, event_id, order_id, rule_id, market, signal, type,
      side, status, reason, percentage, base_decimals, quote_decimals, at)
    select id, "agentId", "chatId", "eventId", "orderId", "ruleId", market, signal, type,
      side, status, reason, percentage, "baseDecimals", "quoteDecimals", at
    from json_to_recordset(${parameter}) as entry (id text, "agentId" text, "chatId" text,
      "eventId" uuid, "orderId" text, "ruleId" text, market text, signal text, type text, side text,
      status text, reason text, percentage integer, "baseDecimals" integer, "quoteDecimals" integer, at timestamptz)`;

export const tradeLogValues = (entries: readonly NewTradeLogEntry[]): string =>
  JSON.stringify(
    entries.map((entry) => ({
      ...entry,
      type: tradeType(entry.signal),
      side: tradeSide(entry.signal, kindOf(entry.market)),
      at: new Date(entry.atMs).toISOString(),
    })),
  );

export const insertTradeLogEntries = (entries: readonly NewTradeLogEntry[]): Statement => ({
  name: "insert-trade-log",
  text: INSERT_TRADE_LOG("$1"),
  values: [tradeLogValues(entries)],
});
