import { CompiledQuery } from "kysely";
import { type EventId, type OrderId, parseEventId } from "../../../domain/ids.ts";
import { FIRED_ON, type FiredOn } from "../alerts/alert-events.ts";
import type { Pool } from "pg";
import type { Db } from "../postgres/db.ts";

/** An alert that counted towards a decision, with the counter it incremented. */
export interface CountedAlert {
  readonly eventId: EventId;
  readonly alertKey: string;
  readonly alertName: string;
  readonly receivedAt: string;
  readonly count: number;
  readonly requiredCount: number;
  readonly fired: FiredOn | null;
}

/**
 * Cause of an order: the alerts that completed its rule, oldest first. `ruleId` is null for an order the owner
 * requested.
 */
export interface DecisionCause {
  readonly eventId: EventId | null;
  readonly ruleId: string | null;
  readonly alerts: readonly CountedAlert[];
}

/*
 * Each counted event incremented one counter of its rule by one, so the rule was completed by as many of the newest
 * events as its counters sum to. The attempts of an exit have the cause of the exit.
 */
const OF_ORDER = (order: string): string => `
  select coalesce(own.event_id, first.event_id) as event_id, coalesce(line.rule_id, first.rule_id) as rule_id
  from orders own
  join trade_log line on line.order_id = own.id
  left join lateral (
    select begun.event_id, begun_line.rule_id from orders begun
    join trade_log begun_line on begun_line.order_id = begun.id
    where begun.exit_id = own.exit_id and begun.event_id is not null
    order by begun.seq limit 1
  ) as first on true
  where own.id = ${order}`;

const EFFECTS = "alert_effects(event.alert_id, event.effects)";

const COUNTED = (cause: string) => `
with cause as (${cause}), completing as (
  select event.agent_id, event.seq, fired.rule -> 'conditions' as conditions
  from cause join alert_events event on event.id = cause.event_id
  cross join lateral jsonb_array_elements(${EFFECTS} -> 'rules') as fired (rule)
  where fired.rule ->> 'ruleId' = cause.rule_id and fired.rule ->> 'kind' = 'fired'
)
select cause.event_id as "eventId", cause.rule_id as "ruleId", counting.id, counting.alert_key as "alertKey",
  counting.alert_name as "alertName", counting.received_at as "receivedAt", counting.fired,
  (raised.condition ->> 'count')::int as count, (raised.condition ->> 'requiredCount')::int as "requiredCount",
  counting.seq
from cause left join completing on true
left join lateral (
  select event.id, event.seq, event.alert_name, event.received_at, encode(uuid_send(event.alert_id), 'hex') as alert_key,
    counted.rule -> 'conditions' as conditions, ${FIRED_ON} as fired
  from alert_events event
  cross join lateral jsonb_array_elements(${EFFECTS} -> 'rules') as counted (rule)
  where event.agent_id = completing.agent_id and event.seq <= completing.seq
    and counted.rule ->> 'ruleId' = cause.rule_id and counted.rule ->> 'kind' in ('counted', 'fired')
    and completing.conditions @> jsonb_build_array(jsonb_build_object('alertKey', encode(uuid_send(event.alert_id), 'hex')))
  order by event.seq desc
  limit (select sum((condition ->> 'count')::int) from jsonb_array_elements(completing.conditions) as counters (condition))
) as counting on true
left join lateral jsonb_array_elements(counting.conditions) as raised (condition)
  on raised.condition ->> 'alertKey' = counting.alert_key
order by counting.seq`;

/** Returns the statement that reads the cause of an order, a row for each of its alerts by `seq`. */
export const causeOfOrder = (order: string): string => COUNTED(OF_ORDER(order));

export interface CauseRow extends Omit<CountedAlert, "eventId" | "receivedAt"> {
  readonly eventId: string | null;
  readonly ruleId: string | null;
  /** Null when no alert counted, as is every column beside it. */
  readonly id: string | null;
  readonly receivedAt: Date;
}

/** Returns the cause of an order. */
export async function readDecisionCause(pool: Pool, orderId: OrderId): Promise<DecisionCause> {
  const { rows } = await pool.query<CauseRow>({
    name: "decision-cause",
    text: causeOfOrder("$1"),
    values: [orderId],
  });
  return toCause(rows);
}

const OF_RULE = "select $1::uuid as event_id, $2::text as rule_id";

/** Returns the cause of an order that was never decided, or of a completed reset rule. */
export async function readCauseOf(
  db: Db,
  of: { readonly orderId: OrderId } | { readonly eventId: EventId; readonly ruleId: string },
): Promise<DecisionCause> {
  const query =
    "orderId" in of
      ? CompiledQuery.raw(causeOfOrder("$1"), [of.orderId])
      : CompiledQuery.raw(COUNTED(OF_RULE), [of.eventId, of.ruleId]);
  return toCause((await db.executeQuery(query)).rows as readonly CauseRow[]);
}

export function toCause(rows: readonly CauseRow[]): DecisionCause {
  const eventId = rows[0]?.eventId ?? null;
  return {
    eventId: eventId === null ? null : parseEventId(eventId),
    ruleId: rows[0]?.ruleId ?? null,
    alerts: rows.flatMap(({ id, alertKey, alertName, receivedAt, count, requiredCount, fired }) =>
      id === null
        ? []
        : [
            {
              eventId: parseEventId(id),
              alertKey,
              alertName,
              receivedAt: receivedAt.toISOString(),
              count,
              requiredCount,
              fired,
            },
          ],
    ),
  };
}
