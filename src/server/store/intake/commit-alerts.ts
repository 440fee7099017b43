import type { Pool } from "pg";
import {
  ALERT_EVENT_PARAMETERS,
  alertEventValues,
  INSERT_ALERT_EVENTS,
} from "../alerts/alert-events.ts";
import type { AlertWrites } from "./alert-transaction.ts";
import { counterValues, UPDATE_COUNTERS } from "../alerts/counters.ts";
import { INSERT_ORDERS, orderValues } from "../orders/orders.ts";
import { INSERT_TRADE_LOG, tradeLogValues } from "../trade-log/trade-log-writes.ts";

/** An agent's lane at the version its state is known of. */
export interface KnownVersion {
  readonly agentId: string;
  readonly version: bigint;
}

const FIRST_EVENT = 3;
const FIRST_COUNTER = FIRST_EVENT + ALERT_EVENT_PARAMETERS;
const FIRST_ORDER = FIRST_COUNTER + 3;

/** Every part waits for the lanes, and writes only when all of them still stand at the version they are known by. */
const COMMIT = `
with held as (
  select agent_id from lanes join unnest($1::text[], $2::bigint[]) as known (agent_id, version)
    using (agent_id, version)
  order by agent_id for update of lanes
), ok as (
  select count(*) = cardinality($1) as ok from held
), received as (
  ${INSERT_ALERT_EVENTS(FIRST_EVENT)} where (select ok from ok)
), counted as (
  ${UPDATE_COUNTERS(FIRST_COUNTER)} and (select ok from ok)
)`;

const WITH_ORDERS = `${COMMIT}, planned as (
  ${INSERT_ORDERS(FIRST_ORDER)} where (select ok from ok)
), logged as (
  ${INSERT_TRADE_LOG(FIRST_ORDER + 1)} where (select ok from ok)
)`;

/**
 * Writes what a batch of alerts decided, from what this process remembers of the agents: one statement, one round trip.
 *
 * False when any of them changed meanwhile, and then nothing is written. A firing that was recorded before fails the
 * whole with a unique violation.
 */
export async function commitAlerts(
  pool: Pool,
  known: readonly KnownVersion[],
  writes: AlertWrites,
): Promise<boolean> {
  const { events, rules, orders, entries } = writes;
  const hasOrders = orders.length > 0 || entries.length > 0;
  const { rows } = await pool.query<{ ok: boolean }>({
    name: hasOrders ? "commit-alerts-and-orders" : "commit-alerts",
    text: `${hasOrders ? WITH_ORDERS : COMMIT} select ok from ok`,
    values: [
      known.map(({ agentId }) => agentId),
      known.map(({ version }) => version.toString()),
      ...alertEventValues(events),
      ...counterValues(rules),
      ...(hasOrders ? [orderValues(orders), tradeLogValues(entries)] : []),
    ],
  });
  return rows[0]?.ok === true;
}
