import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { DenialReason } from "../../domain/denial.ts";
import type { OrderIntent, OrderState } from "../../domain/order.ts";
import { SIGNALS, isResetSignal, type OrderSignal } from "../../domain/signal.ts";
import type { Db } from "./db.ts";
import type { OrderTable } from "./schema.ts";
import type { Statement } from "./statement.ts";

/** An order to be planned, or recorded as denied right away. */
export interface NewOrder {
  readonly id: string;
  readonly agentId: string;
  /** Null when the owner, not an alert, asked for it. */
  readonly eventId: string | null;
  readonly signal: OrderSignal;
  /** 1 for the opening half of a reversal. */
  readonly leg: number;
  readonly deniedFor: DenialReason | null;
  /** Null means the market the agent is set to when the order is placed. */
  readonly marketId: string | null;
  readonly plannedAtMs: number;
}

/** An order that is not final. Signature, bytes and expiry are there from `submitted` on. */
export interface OpenOrder {
  readonly id: string;
  readonly agentId: string;
  readonly eventId: string | null;
  readonly signal: OrderSignal;
  readonly leg: number;
  readonly state: "planned" | "submitted" | "unknown";
  readonly marketId: string | null;
  readonly plannedAtMs: number;
  readonly sent: SentOrder | null;
}

export interface SentOrder {
  readonly transaction: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  readonly submittedAtMs: number;
}

/** Columns come as one JSON value: any number of rows is the same statement. */
export const insertOrders = (orders: readonly NewOrder[]): Statement => ({
  name: "insert-orders",
  text: `insert into orders
      (id, agent_id, event_id, signal, leg, state, reason, intent, planned_at, settled_at)
    select id, "agentId", "eventId", signal, leg,
      case when "deniedFor" is null then 'planned' else 'denied' end, "deniedFor",
      case when "marketId" is not null then json_build_object('marketId', "marketId") end,
      "plannedAt", case when "deniedFor" is not null then "plannedAt" end
    from json_to_recordset($1) as planned (id text, "agentId" text, "eventId" text, signal text,
      leg integer, "deniedFor" text, "marketId" text, "plannedAt" timestamptz)`,
  values: [
    JSON.stringify(
      orders.map((order) => ({ ...order, plannedAt: new Date(order.plannedAtMs).toISOString() })),
    ),
  ],
});

/**
 * Returns what an agent's lane has to do next: first whatever was sent, then the opening half of a reversal, then the
 * orders in the order they were planned.
 */
export async function nextOpenOrder(db: Db, agentId: string): Promise<OpenOrder | null> {
  const row = await db
    .selectFrom("orders")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("state", "in", ["planned", "submitted", "unknown"])
    .orderBy(sql`state = 'planned'`)
    .orderBy("leg", "desc")
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toOpenOrder(row);
}

function toOpenOrder(row: Selectable<OrderTable>): OpenOrder {
  const signal = SIGNALS.find((each) => each === row.signal);
  if (signal === undefined || isResetSignal(signal))
    throw new Error(`Order ${row.id} has no signal`);
  return {
    id: row.id,
    agentId: row.agent_id,
    eventId: row.event_id,
    signal,
    leg: row.leg,
    state: row.state === "submitted" || row.state === "unknown" ? row.state : "planned",
    marketId: (row.intent as { marketId?: string } | null)?.marketId ?? null,
    plannedAtMs: row.planned_at.getTime(),
    sent: toSentOrder(row),
  };
}

function toSentOrder(row: Selectable<OrderTable>): SentOrder | null {
  const { transaction, signature, last_valid_block_height: height, submitted_at: at } = row;
  if (transaction === null || signature === null || height === null || at === null) return null;
  return {
    transaction: new Uint8Array(transaction),
    signature,
    lastValidBlockHeight: BigInt(height),
    submittedAtMs: at.getTime(),
  };
}

/** Returns the agents whose lanes have something to do. */
export async function listAgentsWithOpenOrders(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("orders")
    .select("agent_id")
    .distinct()
    .where("state", "in", ["planned", "submitted", "unknown"])
    .execute();
  return rows.map((row) => row.agent_id);
}

export async function hasOpenOrders(db: Db, agentId: string): Promise<boolean> {
  return (await nextOpenOrder(db, agentId)) !== null;
}

/** Counts the orders sent within the last minute and hour by the agent, and within the last minute by everybody. */
export async function countSentOrders(
  db: Db,
  agentId: string,
  nowMs: number,
): Promise<{ lastMinute: number; lastHour: number; lastMinuteEverywhere: number }> {
  const minuteAgo = new Date(nowMs - 60_000);
  const own = await db
    .selectFrom("orders")
    .select((row) => [
      row.fn.countAll<string>().as("hour"),
      row.fn.countAll<string>().filterWhere("submitted_at", ">", minuteAgo).as("minute"),
    ])
    .where("agent_id", "=", agentId)
    .where("submitted_at", ">", new Date(nowMs - 3_600_000))
    .executeTakeFirstOrThrow();
  const all = await db
    .selectFrom("orders")
    .select((row) => row.fn.countAll<string>().as("minute"))
    .where("submitted_at", ">", minuteAgo)
    .executeTakeFirstOrThrow();
  const toCount = (text: string) => Number.parseInt(text, 10);
  return {
    lastMinute: toCount(own.minute),
    lastHour: toCount(own.hour),
    lastMinuteEverywhere: toCount(all.minute),
  };
}

/** Stores what is about to be sent. False when the order is no longer planned: then nothing may be sent. */
export async function markOrderSubmitted(
  db: Db,
  order: {
    readonly intent: OrderIntent;
    readonly transaction: Uint8Array;
    readonly signature: string;
    readonly lastValidBlockHeight: bigint;
    readonly submittedAtMs: number;
  },
): Promise<boolean> {
  const { intent } = order;
  const changed = await db
    .updateTable("orders")
    .set((column) => ({
      state: "submitted" as const,
      attempt: column("attempt", "+", 1),
      intent: JSON.stringify({
        marketId: intent.market.marketId,
        side: intent.side,
        reduceOnly: intent.reduceOnly,
        baseSize: intent.baseSize.toString(),
        referencePrice: intent.referencePrice.toString(),
        slippageBps: intent.slippageBps,
        percentage: intent.percentage,
      }),
      transaction: order.transaction,
      signature: order.signature,
      last_valid_block_height: order.lastValidBlockHeight.toString(),
      submitted_at: new Date(order.submittedAtMs),
    }))
    .where("id", "=", intent.orderId)
    .where("state", "=", "planned")
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

/** Moves an order on, only from one of the given states. Says whether it did. */
export async function moveOrder(
  db: Db,
  orderId: string,
  from: readonly OrderState[],
  to: { readonly state: OrderState; readonly reason: string | null; readonly settledAtMs?: number },
): Promise<boolean> {
  const changed = await db
    .updateTable("orders")
    .set({
      state: to.state,
      reason: to.reason,
      ...(to.settledAtMs === undefined ? {} : { settled_at: new Date(to.settledAtMs) }),
    })
    .where("id", "=", orderId)
    .where("state", "in", from)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

/** Denies planned orders of an agent: all that open, or the second half of a reversal. Returns their ids. */
export async function denyPlannedOrders(
  db: Db,
  agentId: string,
  which: "opening" | "second_leg",
  reason: DenialReason,
  atMs: number,
): Promise<readonly string[]> {
  const update = db
    .updateTable("orders")
    .set({ state: "denied", reason, settled_at: new Date(atMs) })
    .where("agent_id", "=", agentId)
    .where("state", "=", "planned");
  const chosen =
    which === "opening"
      ? update.where("signal", "in", ["OPEN_LONG", "OPEN_SHORT"])
      : update.where("leg", "=", 1);
  return (await chosen.returning("id").execute()).map((row) => row.id);
}
