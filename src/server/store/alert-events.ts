import type { AlertEventTable } from "./schema.ts";
import type { Db } from "./db.ts";

export type AlertOutcome = AlertEventTable["outcome"];

/** One arrival of an alert as it is recorded. Only counted and ignored ones carry a key against repeats. */
export interface AlertEvent {
  readonly id: string;
  readonly agentId: string;
  readonly dedupKey: string | null;
  readonly bodyHash: string | null;
  readonly alertName: string;
  readonly firedAtMs: number | null;
  readonly receivedAtMs: number;
  readonly outcome: AlertOutcome;
  readonly reason: string | null;
}

/** Refusals and repeats kept per agent; what was accepted stays. */
const KEPT_REFUSALS = 500;

export async function insertAlertEvents(db: Db, events: readonly AlertEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db
    .insertInto("alert_events")
    .values(
      events.map((event) => ({
        id: event.id,
        agent_id: event.agentId,
        dedup_key: event.dedupKey,
        body_hash: event.bodyHash,
        alert_name: event.alertName,
        fired_at: event.firedAtMs === null ? null : new Date(event.firedAtMs),
        received_at: new Date(event.receivedAtMs),
        outcome: event.outcome,
        reason: event.reason,
      })),
    )
    .execute();
}

export interface StoredEvent {
  readonly id: string;
  readonly agentId: string;
  readonly dedupKey: string;
  readonly bodyHash: string | null;
}

/** Returns what was already recorded under any of the keys of any of the agents. */
export async function findAlertEvents(
  db: Db,
  agentIds: readonly string[],
  dedupKeys: readonly string[],
): Promise<readonly StoredEvent[]> {
  if (dedupKeys.length === 0) return [];
  const rows = await db
    .selectFrom("alert_events")
    .select(["id", "agent_id", "dedup_key", "body_hash"])
    .where("agent_id", "in", agentIds)
    .where("dedup_key", "in", dedupKeys)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    agentId: row.agent_id,
    dedupKey: row.dedup_key ?? "",
    bodyHash: row.body_hash,
  }));
}

/** Forgets an agent's oldest refusals and repeats, so that a flood of them stays bounded. */
export async function trimRefusedEvents(db: Db, agentId: string): Promise<void> {
  await db
    .deleteFrom("alert_events")
    .where("agent_id", "=", agentId)
    .where("dedup_key", "is", null)
    .where("seq", "<", (query) =>
      query
        .selectFrom("alert_events")
        .select("seq")
        .where("agent_id", "=", agentId)
        .where("dedup_key", "is", null)
        .orderBy("seq", "desc")
        .offset(KEPT_REFUSALS)
        .limit(1),
    )
    .execute();
}

/**
 * Removes at most `limit` arrivals from before the given time that led to no order, and returns how many.
 *
 * What led to an order is the trade log's origin and stays.
 */
export async function deleteOldAlertEvents(db: Db, before: number, limit: number): Promise<number> {
  const old = db
    .selectFrom("alert_events as event")
    .select("id")
    .where("received_at", "<", new Date(before))
    .where((query) =>
      query.not(
        query.exists(
          query
            .selectFrom("orders")
            .select("orders.id")
            .whereRef("orders.event_id", "=", "event.id"),
        ),
      ),
    )
    .limit(limit);
  const deleted = await db
    .deleteFrom("alert_events")
    .where("id", "in", old)
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}

/** An arrival with the orders it led to, as the owner sees it. */
export interface ReceivedSignal {
  readonly eventId: string;
  readonly alertName: string;
  readonly receivedAt: Date;
  readonly outcome: AlertOutcome;
  readonly reason: string | null;
  readonly orders: readonly {
    readonly orderId: string;
    readonly signal: string;
    readonly state: string;
    readonly reason: string | null;
    readonly signature: string | null;
  }[];
}

/** Reads an agent's newest arrivals, newest first. */
export async function listReceivedSignals(
  db: Db,
  agentId: string,
  limit: number,
): Promise<readonly ReceivedSignal[]> {
  const events = await db
    .selectFrom("alert_events")
    .select(["id", "alert_name", "received_at", "outcome", "reason"])
    .where("agent_id", "=", agentId)
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  if (events.length === 0) return [];
  const ids = events.map((event) => event.id);
  const orders = await db
    .selectFrom("orders")
    .select(["id", "event_id", "signal", "state", "reason", "signature"])
    .where("event_id", "in", ids)
    .orderBy("seq")
    .execute();
  return events.map((event) => ({
    eventId: event.id,
    alertName: event.alert_name,
    receivedAt: event.received_at,
    outcome: event.outcome,
    reason: event.reason,
    orders: orders
      .filter((order) => order.event_id === event.id)
      .map((order) => ({
        orderId: order.id,
        signal: order.signal,
        state: order.state,
        reason: order.reason,
        signature: order.signature,
      })),
  }));
}
