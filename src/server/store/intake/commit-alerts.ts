import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import { alertEventValue, INSERT_ALERT_EVENTS } from "../alerts/alert-events.ts";
import type { AlertWrites } from "./alert-transaction.ts";
import { counterValues, UPDATE_COUNTERS } from "../alerts/counters.ts";
import { INSERT_ORDERS, orderValues } from "../orders/orders.ts";
import { INSERT_TRADE_LOG, tradeLogValues } from "../trade-log/trade-log-writes.ts";

/** An agent with the lane version of its cached state. */
export interface KnownVersion {
  readonly agentId: AgentId;
  readonly version: bigint;
  /** Whether the batch changes the agent's counters and thereby its version. */
  readonly isCounted: boolean;
}

const EVENTS = 4;
const FIRST_COUNTER = EVENTS + 1;
const FIRST_ORDER = FIRST_COUNTER + 3;

/**
 * Every part waits for the lane locks and writes only when all lanes still have the expected versions.
 *
 * The versions of counted agents are raised here; the setting tells the trigger on conditions not to.
 */
const COMMIT = `
with held as (
  select agent_id from lanes join unnest($1::text[], $2::bigint[]) as known (agent_id, version)
    using (agent_id, version)
  order by agent_id for update of lanes
), ok as (
  select count(*) = cardinality($1) and set_config('wheelhouse.counts', 'versioned', true) = 'versioned' as ok
  from held
), versioned as (
  update lanes set version = version + 1 where agent_id = any($3::text[]) and (select ok from ok)
), received as (
  ${INSERT_ALERT_EVENTS(EVENTS)} where (select ok from ok)
), counted as (
  ${UPDATE_COUNTERS(FIRST_COUNTER)} and (select ok from ok)
)`;

const WITH_ORDERS = `${COMMIT}, planned as (
  ${INSERT_ORDERS(FIRST_ORDER)} where (select ok from ok)
), logged as (
  ${INSERT_TRADE_LOG(FIRST_ORDER + 1)} where (select ok from ok)
)`;

/**
 * Writes the decisions on a batch of alerts from cached agent state, in one statement and one round trip.
 *
 * Returns false, with nothing written, when any agent changed meanwhile. Throws a unique violation, with nothing
 * written, when a firing was already recorded.
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
      known.filter(({ isCounted }) => isCounted).map(({ agentId }) => agentId),
      alertEventValue(events),
      ...counterValues(rules),
      ...(hasOrders ? [orderValues(orders), tradeLogValues(entries)] : []),
    ],
  });
  return rows[0]?.ok === true;
}
