import type { Selectable } from "kysely";
import {
  type AgentId,
  type OrderId,
  type OwnerAddress,
  parseAgentId,
  parseOwner,
} from "../../../domain/ids.ts";
import type { RiskCheck } from "../../../domain/risk-check.ts";
import type { Db } from "../postgres/db.ts";
import type { AlertEventTable } from "../schema/schema.ts";
import type { LedgerEntryTable } from "../schema/ledger-tables.ts";
import type {
  ExitTable,
  OrderFillTable,
  OrderTable,
  OrderTransactionTable,
  TradeLogTable,
} from "../schema/order-tables.ts";
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
  const order = await readOrder(db, orderId);
  if (order === undefined) return null;
  const [agent, event, cause, decision, followUps, fills, line, exit] = await Promise.all([
    db
      .selectFrom("agents")
      .select(["name", "owner", "network", "venue"])
      .where("id", "=", order.agent_id)
      .executeTakeFirstOrThrow(),
    db.selectFrom("alert_events").selectAll().where("id", "=", order.event_id).executeTakeFirst(),
    readCauseOf(db, { orderId }),
    db
      .selectFrom("decisions")
      .select(["decided_at", "facts"])
      .where("order_id", "=", orderId)
      .executeTakeFirst(),
    readFollowUps(db, orderId),
    db
      .selectFrom("order_fills")
      .selectAll()
      .where("order_id", "=", orderId)
      .orderBy("slot")
      .orderBy("n")
      .execute(),
    db.selectFrom("trade_log").selectAll().where("order_id", "=", orderId).executeTakeFirst(),
    db.selectFrom("exits").selectAll().where("id", "=", order.exit_id).executeTakeFirst(),
  ]);
  const rule =
    cause.ruleId === null
      ? undefined
      : await db
          .selectFrom("rules")
          .select("action")
          .where("id", "=", cause.ruleId)
          .executeTakeFirst();
  const signatures = [order, ...followUps, ...fills].flatMap(({ signature }) => signature ?? []);
  return {
    order,
    agent: { ...agent, owner: parseOwner(agent.owner) },
    event: event ?? null,
    cause,
    action: rule?.action ?? null,
    decision:
      decision === undefined
        ? null
        : {
            decidedAt: decision.decided_at,
            facts: decision.facts as RecordedDecision["facts"],
          },
    followUps,
    fills,
    line: line ?? null,
    exit: exit ?? null,
    entries: await readEntries(db, parseAgentId(order.agent_id), signatures),
  };
}

const readOrder = (db: Db, orderId: OrderId) =>
  db
    .selectFrom("orders")
    .select([
      "id",
      "agent_id",
      "event_id",
      "signal",
      "leg",
      "state",
      "reason",
      "attempt",
      "intent",
      "signature",
      "last_valid_block_height",
      "blockhash_slot",
      "resting",
      "exit_id",
      "planned_at",
      "submitted_at",
      "settled_at",
      "seq",
    ])
    .select(({ fn, ref }) => fn<number | null>("octet_length", [ref("transaction")]).as("bytes"))
    .where("id", "=", orderId)
    .executeTakeFirst();

const readFollowUps = (db: Db, orderId: OrderId) =>
  db
    .selectFrom("order_transactions")
    .select([
      "signature",
      "order_id",
      "purpose",
      "last_valid_block_height",
      "sent_after_slot",
      "submitted_at",
      "ended",
      "seq",
    ])
    .where("order_id", "=", orderId)
    .orderBy("seq")
    .execute();

async function readEntries(db: Db, agentId: AgentId, signatures: readonly string[]) {
  if (signatures.length === 0) return [];
  return db
    .selectFrom("ledger_entries")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("signature", "in", signatures)
    .orderBy("seq")
    .execute();
}
