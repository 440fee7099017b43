import {
  type AgentId,
  type EventId,
  type OrderId,
  parseAgentId,
  parseEventId,
  parseOrderId,
} from "../../../domain/ids.ts";
import { sql } from "kysely";
import type { AlertEffects, RuleEffect } from "../../../domain/alert-effect.ts";
import { SIGNALS } from "../../../domain/signal.ts";
import type { AlertEventTable } from "../postgres/tables.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { deleteRows, on, type Statement } from "../postgres/on.ts";
import type { ComparedFigures } from "../../../strategy/firing.ts";

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
  const refused = sql`agent_id = ${agentId} and body_hash is null and compared is null`;
  await deleteRows(
    db,
    "alert_events",
    sql`select id::text from alert_events where ${refused} and seq < (
      select seq from alert_events where ${refused} order by seq desc offset ${KEPT_REFUSALS} limit 1)`,
  );
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
  return deleteRows(
    db,
    "alert_events",
    sql`select id::text from alert_events as event
      where received_at >= ${new Date(from)} and received_at < ${new Date(before)}
        and not exists (select from orders where orders.event_id = event.id)
      limit ${limit}`,
  );
}

/** Returns when the oldest stored alert arrived; reads them all. */
export async function findOldestAlertEvent(db: Db): Promise<number | null> {
  const { oldest } = await on(db).only<{ oldest: Date | null }>`
    select min(received_at) as oldest from alert_events`;
  return oldest?.getTime() ?? null;
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
  return on(db).rows<PastAlert>`
    select seq, alert_name as "alertName", received_at as "receivedAt", outcome, fired_at as "firedAt"
    from alert_events
    where agent_id = ${agentId} and (body_hash is not null or compared is not null)
      ${before === null ? sql`` : sql`and seq < ${before}`}
    order by seq desc limit ${limit}`;
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
    /** Whether it closes the other side before an opening. */
    readonly closesFirst: boolean;
    readonly state: string;
    readonly reason: string | null;
    readonly signature: string | null;
  }[];
}

type EventRow = Unparsed<Omit<ReceivedSignal, "fired" | "orders">> & {
  readonly firedAt: Date | null;
  readonly price: number | null;
  readonly compared: readonly ComparedFigures[] | null;
};

type OrderRow = Unparsed<ReceivedSignal["orders"][number]> & { readonly eventId: string };

/** Reads an agent's newest arrivals, newest first. */
export async function listReceivedSignals(
  db: Db,
  agentId: AgentId,
  limit: number,
): Promise<readonly ReceivedSignal[]> {
  const events = await on(db).rows<EventRow>`
    select id as "eventId", alert_name as "alertName", received_at as "receivedAt", outcome, reason,
      fired_at as "firedAt", price, compared
    from alert_events where agent_id = ${agentId} order by seq desc limit ${limit}`;
  if (events.length === 0) return [];
  const orders = await on(db).rows<OrderRow>`
    select id as "orderId", event_id as "eventId", signal, state, reason, signature,
      signal like 'OPEN_%' and coalesce((intent->>'reduceOnly')::boolean, false) as "closesFirst"
    from orders
    where event_id = any(${events.map((event) => event.eventId)}) order by seq`;
  return events.map(({ eventId, firedAt, price, compared, ...event }) => ({
    ...event,
    eventId: parseEventId(eventId),
    fired: compared === null ? null : { closedAt: firedAt ?? event.receivedAt, price, compared },
    orders: orders
      .filter((order) => order.eventId === eventId)
      .map(({ eventId: _eventId, orderId, ...order }) => ({
        orderId: parseOrderId(orderId),
        ...order,
      })),
  }));
}

/** In the order of their codes; `alert_effects` in the database names the same. */
const KINDS: readonly RuleEffect["kind"][] = ["counted", "full", "fired", "reset"];

const byte = (value: number): string => value.toString(16).padStart(2, "0");

/**
 * Packs the effects on rules as hex for the column `effects`; the database's function `alert_effects` unpacks them.
 *
 * Per rule: id (16 bytes), signal, kind, number of conditions; per condition: alert id (16 bytes), count, required
 * count.
 */
const packEffects = ({ rules }: AlertEffects): string =>
  rules
    .map(({ ruleId, action, kind, conditions }) => {
      const counts = conditions.map(
        ({ alertKey, count, requiredCount }) => alertKey + byte(count) + byte(requiredCount),
      );
      const codes = [SIGNALS.indexOf(action), KINDS.indexOf(kind), conditions.length];
      return ruleId + codes.map(byte).join("") + counts.join("");
    })
    .join("");
