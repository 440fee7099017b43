import type { Selectable } from "kysely";
import { type OrderId, type OwnerAddress, parseOwner } from "../../../domain/ids.ts";
import type { RiskCheck } from "../../../domain/risk-check.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import type {
  AlertEventTable,
  LedgerEntryTable,
  ExitTable,
  OrderFillTable,
  OrderTable,
  OrderTransactionTable,
  TradeLogTable,
} from "../postgres/tables.ts";
import { type DecisionCause, readCauseOf } from "./decision-cause.ts";

/** Recorded facts of the checks before an order was sent or refused. Amounts are decimal digits. */
export interface RecordedDecision {
  readonly decidedAt: Date;
  readonly facts: {
    readonly checks: readonly (Omit<RiskCheck, "figures"> & {
      readonly figures: {
        readonly unit: string;
        readonly figure: string | null;
        readonly limit: string | null;
      } | null;
    })[];
    readonly price: { readonly price: string; readonly publishedAtMs: number } | null;
    readonly account: { readonly freeCollateral: string; readonly portfolioValue: string } | null;
    readonly order: {
      readonly side: string;
      readonly reduceOnly: boolean;
      readonly baseSize: string;
      readonly slippageBps: number;
    } | null;
    readonly reason: string | null;
  };
}

/** Everything the store knows of one order. Bytes are only counted: nobody needs them to follow what happened. */
export interface OrderHistory {
  readonly order: Omit<Selectable<OrderTable>, "transaction"> & { readonly bytes: number | null };
  readonly agent: {
    readonly name: string;
    readonly owner: OwnerAddress;
    readonly network: string;
    readonly venue: string;
  };
  readonly event: Selectable<AlertEventTable> | null;
  readonly cause: DecisionCause;
  /** Null where the rule was deleted, or none asked for it. */
  readonly action: string | null;
  readonly decision: RecordedDecision | null;
  readonly followUps: readonly Omit<Selectable<OrderTransactionTable>, "transaction">[];
  readonly fills: readonly Selectable<OrderFillTable>[];
  readonly line: Selectable<TradeLogTable> | null;
  readonly exit: Selectable<ExitTable> | null;
  readonly entries: readonly Selectable<LedgerEntryTable>[];
}

/** Reads everything known of an order; null where there is none of this id. */
export async function readOrderHistory(db: Db, orderId: OrderId): Promise<OrderHistory | null> {
  const read = on(db);
  const order = await read.row<OrderHistory["order"]>`
    select id, agent_id, event_id, signal, leg, state, reason, attempt, intent, signature,
      last_valid_block_height, blockhash_slot, resting, exit_id, planned_at, submitted_at, settled_at,
      stop_rested_at, seq, octet_length(transaction) as bytes
    from orders where id = ${orderId}`;
  if (order === null) return null;
  const [agent, event, cause, decision, followUps, fills, line, exit] = await Promise.all([
    read.only<Unparsed<OrderHistory["agent"]>>`
      select name, owner, network, venue from agents where id = ${order.agent_id}`,
    read.row<Selectable<AlertEventTable>>`select * from alert_events where id = ${order.event_id}`,
    readCauseOf(db, { orderId }),
    read.row<RecordedDecision>`
      select decided_at as "decidedAt", facts from decisions where order_id = ${orderId}`,
    read.rows<OrderHistory["followUps"][number]>`
      select signature, order_id, purpose, last_valid_block_height, sent_after_slot, submitted_at, ended, seq
      from order_transactions where order_id = ${orderId} order by seq`,
    read.rows<Selectable<OrderFillTable>>`
      select * from order_fills where order_id = ${orderId} order by slot, n`,
    read.row<Selectable<TradeLogTable>>`select * from trade_log where order_id = ${orderId}`,
    read.row<Selectable<ExitTable>>`select * from exits where id = ${order.exit_id}`,
  ]);
  const signatures = [order, ...followUps, ...fills].flatMap(({ signature }) => signature ?? []);
  const [rule, entries] = await Promise.all([
    read.row<{ action: string }>`select action from rules where id = ${cause.ruleId}`,
    read.rows<Selectable<LedgerEntryTable>>`
      select * from ledger_entries
      where agent_id = ${order.agent_id} and signature = any(${signatures}) order by seq`,
  ]);
  return {
    order,
    agent: { ...agent, owner: parseOwner(agent.owner) },
    event,
    cause,
    action: rule?.action ?? null,
    decision,
    followUps,
    fills,
    line,
    exit,
    entries,
  };
}
