import { sql } from "kysely";
import {
  type AgentId,
  type EventId,
  type OrderId,
  parseEventId,
  parseOrderId,
} from "../../../domain/ids.ts";
import type { PlanAct } from "../../../domain/plan/plan.ts";
import type { AlertEffects } from "../../../domain/alert-effect.ts";
import { FIRED_ON, type FiredOn } from "../alerts/alert-events.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Filter of decisions; a null field does not filter. */
export interface DecisionFilter {
  readonly outcome: "traded" | "denied" | "untraded" | null;
  readonly ruleId: string | null;
  readonly alertKey: string | null;
  readonly entryId: string | null;
}

const EFFECTS = sql`alert_effects(event.alert_id, event.effects)`;

/** A trade log entry with all recorded facts of its decision; `bigint` columns are decimal text. */
export interface DecisionLine {
  readonly seq: string;
  readonly id: string;
  readonly orderId: OrderId | null;
  readonly eventId: EventId | null;
  readonly ruleId: string | null;
  readonly market: string;
  readonly signal: string;
  readonly side: string;
  readonly status: string;
  readonly reason: string | null;
  readonly baseSize: string;
  /** Null, as is `quoteDecimals`, when the market is unknown: the entry then has no amounts. */
  readonly baseDecimals: number | null;
  readonly quoteTotal: string;
  readonly quoteDecimals: number | null;
  readonly price: string | null;
  readonly fee: string | null;
  readonly byOwner: boolean;
  readonly plannedAt: Date;
  readonly state: string | null;
  readonly exitId: string | null;
  /** What of the position's plan asked for it. */
  readonly planAct: PlanAct | null;
  readonly signature: string | null;
  readonly bytes: number | null;
  readonly submittedAt: Date | null;
  readonly settledAt: Date | null;
  readonly decidedAt: Date | null;
  readonly facts: unknown;
}

/** An alert with its effects. */
export interface DecisionEvent {
  readonly seq: string;
  readonly id: EventId;
  readonly alertName: string;
  readonly firedAt: Date | null;
  readonly receivedAt: Date;
  readonly outcome: string;
  readonly reason: string | null;
  readonly effects: AlertEffects | null;
  readonly fired: FiredOn | null;
}

const toEvent = (row: Unparsed<DecisionEvent>): DecisionEvent => ({
  ...row,
  id: parseEventId(row.id),
});

interface Page {
  /** Only records from before this time. */
  readonly before: string;
  readonly limit: number;
}

/** Returns an agent's trade log entries with their decisions, newest first. */
export async function listDecisionLines(
  db: Db,
  agentId: AgentId,
  filter: DecisionFilter,
  { before, limit }: Page,
): Promise<readonly DecisionLine[]> {
  const ruleId = sql`coalesce(decisions.rule_id, line.rule_id)`;
  const named = JSON.stringify([{ alertKey: filter.alertKey }]);
  const wanted = [
    filter.outcome === "traded" && sql`line.status = 'success' and line.type <> 'reset'`,
    filter.outcome === "denied" && sql`line.status = 'failed'`,
    filter.outcome === "untraded" && sql`line.type = 'reset'`,
    filter.ruleId !== null && sql`${ruleId} = ${filter.ruleId}`,
    filter.alertKey !== null &&
      sql`(decisions.facts -> 'cause' -> 'alerts' @> ${named}::jsonb or event.alert_id = ${filter.alertKey})`,
    filter.entryId !== null && sql`line.id = ${filter.entryId}`,
  ].flatMap((condition) => (condition === false ? [] : [sql`and ${condition}`]));
  const { rows } = await sql<Unparsed<DecisionLine>>`
    select line.seq, line.id, line.order_id as "orderId", line.event_id as "eventId",
      ${ruleId} as "ruleId", line.market, line.signal, line.side, line.status, line.reason,
      line.base_size as "baseSize", line.base_decimals as "baseDecimals",
      line.quote_total as "quoteTotal", line.quote_decimals as "quoteDecimals", line.price, line.fee,
      line.by_owner as "byOwner", coalesce(orders.planned_at, line.at) as "plannedAt", orders.state,
      orders.exit_id as "exitId", orders.plan_act as "planAct", coalesce(orders.signature, line.signature) as signature, octet_length(orders.transaction) as bytes,
      orders.submitted_at as "submittedAt", orders.settled_at as "settledAt",
      decisions.decided_at as "decidedAt", decisions.facts
    from trade_log line
    left join orders on orders.id = line.order_id
    left join decisions on decisions.order_id = line.order_id
    left join alert_events event on event.id = line.event_id
    where line.agent_id = ${agentId} and line.seq < ${before} ${sql.join(wanted, sql` `)}
    order by line.seq desc limit ${limit}`.execute(db);
  return rows.map((row) => ({
    ...row,
    orderId: row.orderId === null ? null : parseOrderId(row.orderId),
    eventId: row.eventId === null ? null : parseEventId(row.eventId),
  }));
}

/** Returns an agent's alerts that led to no trade log entry, newest first, without duplicates. */
export async function listUntradedEvents(
  db: Db,
  agentId: AgentId,
  filter: Pick<DecisionFilter, "ruleId" | "alertKey">,
  { before, limit }: Page,
): Promise<readonly DecisionEvent[]> {
  const touched = JSON.stringify({ rules: [{ ruleId: filter.ruleId }] });
  const wanted = [
    filter.ruleId !== null && sql`${EFFECTS} @> ${touched}::jsonb`,
    filter.alertKey !== null && sql`alert_id = ${filter.alertKey}`,
  ].flatMap((condition) => (condition === false ? [] : [sql`and ${condition}`]));
  const { rows } = await sql<Unparsed<DecisionEvent>>`
    select ${EVENT_COLUMNS} from alert_events event
    where agent_id = ${agentId} and seq < ${before} and outcome <> 'duplicate'
      and not coalesce(${EFFECTS} @> '{"rules": [{"kind": "fired"}]}', false)
      and not exists (select from orders where event_id = event.id) ${sql.join(wanted, sql` `)}
    order by seq desc limit ${limit}`.execute(db);
  return rows.map(toEvent);
}

/** Returns alerts by their ids. */
export async function listDecisionEvents(
  db: Db,
  ids: readonly EventId[],
): Promise<readonly DecisionEvent[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Unparsed<DecisionEvent>>`
    select ${EVENT_COLUMNS} from alert_events event where id = any(${ids}::uuid[])`.execute(db);
  return rows.map(toEvent);
}

const EVENT_COLUMNS = sql`event.seq, event.id, event.alert_name as "alertName",
  event.fired_at as "firedAt", event.received_at as "receivedAt", event.outcome, event.reason, ${EFFECTS} as effects,
  ${sql.raw(FIRED_ON)} as fired`;

/** A booked fill of an order. */
export interface DecisionFill {
  readonly orderId: OrderId;
  readonly signature: string;
  readonly baseSize: string;
  readonly quoteSize: string;
  readonly fee: string;
}

/** Returns the fills of orders, oldest first. */
export async function listFillsOf(
  db: Db,
  orderIds: readonly OrderId[],
): Promise<readonly DecisionFill[]> {
  if (orderIds.length === 0) return [];
  const rows = await on(db).rows<Unparsed<DecisionFill>>`
    select order_id as "orderId", signature, base_size as "baseSize", quote_size as "quoteSize", fee
    from order_fills where order_id = any(${orderIds})
    order by slot, signature, n`;
  return rows.map((row) => ({ ...row, orderId: parseOrderId(row.orderId) }));
}
