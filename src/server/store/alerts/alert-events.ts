import {
  type AgentId,
  type EventId,
  type OrderId,
  parseAgentId,
  parseEventId,
  parseOrderId,
} from "../../../domain/ids.ts";
import type { AlertEffects } from "../../../domain/alert-effect.ts";
import type { AlertEventTable } from "../schema/alert-tables.ts";
import type { ComparedFigures } from "../../../strategy/firing.ts";
import { packEffects } from "./pack-effects.ts";
import type { Db } from "../postgres/db.ts";
import type { Statement } from "../postgres/statement.ts";
import type { Unparsed } from "../postgres/unparsed.ts";

export type AlertOutcome = AlertEventTable["outcome"];

/** One recorded arrival of an alert. */
export interface AlertEvent {
  /** Equal for all deliveries of a firing that counted or was ignored. */
  readonly id: EventId;
  readonly agentId: AgentId;
  /** Null for a refusal, a duplicate and a condition's firing. */
  readonly bodyHash: string | null;
  readonly alertName: string;
  readonly firedAtMs: number | null;
  readonly receivedAtMs: number;
  readonly outcome: AlertOutcome;
  readonly reason: string | null;
  /** Effects on the agent's rules; null when the alert did not count. */
  readonly effects: AlertEffects | null;
  /** The bar a condition fired on; null for an external alert. */
  readonly fired: FiredOn | null;
}

/** The bar on which a condition was met: its close price and the compared figures, none for a schedule. */
export interface FiredOn {
  /** Null for a summary entry of bars that are not recorded individually. */
  readonly price: number | null;
  readonly compared: readonly ComparedFigures[];
}

/** The bar a condition fired on, for the row `event`; null for an external alert. */
export const FIRED_ON = `case when event.compared is not null
    then jsonb_build_object('price', event.price, 'compared', event.compared) end`;

/** Maximum number of refusals and duplicates kept per agent; accepted alerts are not deleted. */
const KEPT_REFUSALS = 500;

const COLUMNS = [
  ["id", "uuid"],
  ["agent_id", "uuid"],
  ["alert_id", "uuid"],
  ["body_hash", "bytea"],
  ["alert_name", "text"],
  ["fired_at", "timestamptz"],
  ["received_at", "timestamptz"],
  ["outcome", "text"],
  ["reason", "text"],
  ["price", "float8"],
  ["compared", "jsonb"],
  ["effects", "bytea"],
] as const;

const INTO = `insert into alert_events (${COLUMNS.map(([name]) => name).join(", ")})`;

/**
 * Takes the rows as one JSON text, the given parameter; a condition may be appended. An array per column takes the
 * database as long and the process that writes them longer.
 */
export const INSERT_ALERT_EVENTS = (parameter: number): string =>
  `${INTO} select * from json_to_recordset($${parameter}::json)
    as event (${COLUMNS.map((column) => column.join(" ")).join(", ")})`;

/** Number of parameters that one row takes. */
export const ALERT_EVENT_PARAMETERS = COLUMNS.length;

/** Takes one row, a parameter for each column from the given one on; a condition may be appended. */
export const INSERT_ALERT_EVENT = (first: number): string =>
  `${INTO} select ${COLUMNS.map(([, type], at) => `$${first + at}::${type}`).join(", ")}`;

/** Returns the rows as JSON; what is left out is null. */
export const alertEventsValue = (events: readonly AlertEvent[]): string =>
  JSON.stringify(events.map(toRow));

/** Returns one row's parameters. */
export const alertEventValues = (event: AlertEvent): unknown[] => {
  const compared = event.fired === null ? undefined : JSON.stringify(event.fired.compared);
  const row = { ...toRow(event), compared };
  return COLUMNS.map(([name]) => row[name]);
};

const toRow = ({ fired, effects, ...event }: AlertEvent) => ({
  id: event.id,
  agent_id: event.agentId,
  alert_id: effects?.alertKey,
  body_hash: toBytea(event.bodyHash),
  alert_name: event.alertName,
  fired_at: event.firedAtMs === null ? undefined : timestamp(event.firedAtMs),
  received_at: timestamp(event.receivedAtMs),
  outcome: event.outcome,
  reason: event.reason ?? undefined,
  price: fired?.price,
  compared: fired?.compared,
  effects: toBytea(effects === null ? null : packEffects(effects)),
});

export const insertAlertEvents = (events: readonly AlertEvent[]): Statement => ({
  name: "insert-alert-events",
  text: INSERT_ALERT_EVENTS(1),
  values: [alertEventsValue(events)],
});

/** Returns hex as PostgreSQL reads a bytea. */
const toBytea = (hex: string | null): string | undefined =>
  hex === null ? undefined : `\\x${hex}`;

const timestamp = (ms: number) => new Date(ms).toISOString();

export interface StoredEvent {
  readonly id: EventId;
  readonly agentId: AgentId;
  readonly bodyHash: string | null;
}

export const toStoredEvent = (row: Unparsed<StoredEvent>): StoredEvent => ({
  ...row,
  id: parseEventId(row.id),
  agentId: parseAgentId(row.agentId),
});

/** Returns the recorded events with these ids, as rows of `StoredEvent`. */
export const selectAlertEvents = (ids: readonly EventId[]): Statement => ({
  name: "alert-events",
  text: `select id, agent_id as "agentId", encode(body_hash, 'hex') as "bodyHash"
    from alert_events where id = any($1::uuid[])`,
  values: [ids],
});

/** Deletes an agent's oldest refusals and duplicates, so that a flood of them stays bounded. */
export async function trimRefusedEvents(db: Db, agentId: AgentId): Promise<void> {
  await db
    .deleteFrom("alert_events")
    .where("agent_id", "=", agentId)
    .where("body_hash", "is", null)
    .where("compared", "is", null)
    .where("seq", "<", (query) =>
      query
        .selectFrom("alert_events")
        .select("seq")
        .where("agent_id", "=", agentId)
        .where("body_hash", "is", null)
        .where("compared", "is", null)
        .orderBy("seq", "desc")
        .offset(KEPT_REFUSALS)
        .limit(1),
    )
    .execute();
}

/**
 * Deletes at most `limit` arrivals from before the given time that led to no order, and returns how many.
 *
 * Arrivals that led to an order are kept as the origin of trade log entries.
 */
export async function deleteOldAlertEvents(
  db: Db,
  before: number,
  limit: number,
  from = 0,
): Promise<number> {
  const old = db
    .selectFrom("alert_events as event")
    .select("id")
    .where("received_at", ">=", new Date(from))
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

/** Returns when the oldest stored alert arrived; reads them all. */
export async function findOldestAlertEvent(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom("alert_events")
    .select((each) => each.fn.min("received_at").as("oldest"))
    .executeTakeFirst();
  return row?.oldest?.getTime() ?? null;
}

/** An arrival that matched one of the agent's alerts, whether it counted or not. */
export interface PastAlert {
  readonly seq: string;
  readonly alertName: string;
  readonly receivedAt: Date;
  readonly outcome: AlertOutcome;
  /** Close time of the bar a condition fired on; null for an external alert. */
  readonly firedAt: Date | null;
}

/** Returns an agent's arrivals before a position in their order, newest first, without refused ones and duplicates. */
export async function listPastAlerts(
  db: Db,
  agentId: AgentId,
  before: string | null,
  limit: number,
): Promise<readonly PastAlert[]> {
  const rows = await db
    .selectFrom("alert_events")
    .select(["seq", "alert_name", "received_at", "outcome", "fired_at"])
    .where("agent_id", "=", agentId)
    .where((row) => row.or([row("body_hash", "is not", null), row("compared", "is not", null)]))
    .$if(before !== null, (query) => query.where("seq", "<", before ?? ""))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    seq: `${row.seq}`,
    alertName: row.alert_name,
    receivedAt: row.received_at,
    outcome: row.outcome,
    firedAt: row.fired_at,
  }));
}

/** An arrival with the orders it led to, as shown to the owner. */
export interface ReceivedSignal {
  readonly eventId: EventId;
  readonly alertName: string;
  readonly receivedAt: Date;
  readonly outcome: AlertOutcome;
  readonly reason: string | null;
  readonly fired: (FiredOn & { readonly closedAt: Date }) | null;
  readonly orders: readonly {
    readonly orderId: OrderId;
    readonly signal: string;
    readonly state: string;
    readonly reason: string | null;
    readonly signature: string | null;
  }[];
}

/** Reads an agent's newest arrivals, newest first. */
export async function listReceivedSignals(
  db: Db,
  agentId: AgentId,
  limit: number,
): Promise<readonly ReceivedSignal[]> {
  const events = await db
    .selectFrom("alert_events")
    .select([
      "id",
      "alert_name",
      "received_at",
      "outcome",
      "reason",
      "fired_at",
      "price",
      "compared",
    ])
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
    eventId: parseEventId(event.id),
    alertName: event.alert_name,
    receivedAt: event.received_at,
    outcome: event.outcome,
    reason: event.reason,
    fired:
      event.compared === null
        ? null
        : {
            closedAt: event.fired_at ?? event.received_at,
            price: event.price,
            compared: event.compared as ComparedFigures[],
          },
    orders: orders
      .filter((order) => order.event_id === event.id)
      .map((order) => ({
        orderId: parseOrderId(order.id),
        signal: order.signal,
        state: order.state,
        reason: order.reason,
        signature: order.signature,
      })),
  }));
}
