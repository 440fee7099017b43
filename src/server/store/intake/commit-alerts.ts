import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import {
  ALERT_EVENT_PARAMETERS,
  type AlertEvent,
  alertEventsValue,
  alertEventValues,
  INSERT_ALERT_EVENT,
  INSERT_ALERT_EVENTS,
} from "../alerts/alert-events.ts";
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

/** Tells the trigger on conditions that the versions of counted agents are raised here. */
const VERSIONED = "set_config('wheelhouse.counts', 'versioned', true) = 'versioned'";

/** Locks the lanes in order, so that two batches cannot deadlock, and raises the versions of the agents counted. */
const OF_MANY = {
  lanes: `held as (
      select agent_id from lanes join unnest($1::text[], $2::bigint[]) as known (agent_id, version)
        using (agent_id, version)
      order by agent_id for update of lanes
    ), ok as (
      select count(*) = cardinality($1) and ${VERSIONED} as ok from held
    ), versioned as (
      update lanes set version = version + 1 where agent_id = any($3::text[]) and (select ok from ok)
    )`,
  events: INSERT_ALERT_EVENTS(4),
  rest: 5,
};

/** The same for one event of one agent, as nearly all are at rest: writing its lane, raised or not, locks it as well. */
const OF_ONE = {
  lanes: `ok as (
      update lanes set version = version + $3::int where agent_id = $1 and version = $2
      returning ${VERSIONED} as ok
    )`,
  events: INSERT_ALERT_EVENT(4),
  rest: 4 + ALERT_EVENT_PARAMETERS,
};

/** Every part waits for the lane locks and writes only when all lanes still have the expected versions. */
const commit = ({ lanes, events, rest }: typeof OF_MANY): string =>
  `with ${lanes}, received as (
      ${events} where (select ok from ok)
    ), counted as (
      ${UPDATE_COUNTERS(rest)} and (select ok from ok)
    )`;

const commitWithOrders = (of: typeof OF_MANY): string =>
  `${commit(of)}, planned as (
      ${INSERT_ORDERS(`$${of.rest + 3}`)} where (select ok from ok)
    ), logged as (
      ${INSERT_TRADE_LOG(`$${of.rest + 4}`)} where (select ok from ok)
    )`;

const prepare = (name: string, of: typeof OF_MANY) => ({
  alerts: { name, text: `${commit(of)} select ok from ok` },
  orders: { name: `${name}-and-orders`, text: `${commitWithOrders(of)} select ok from ok` },
});

const ONE = prepare("commit-alert", OF_ONE);
const MANY = prepare("commit-alerts", OF_MANY);

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
  const [[agent], [event]] = [known, events];
  const isOne = known.length === 1 && events.length === 1;
  const one = isOne && agent !== undefined && event !== undefined ? { agent, event } : null;
  const statements = one === null ? MANY : ONE;
  const hasOrders = orders.length > 0 || entries.length > 0;
  const { rows } = await pool.query<{ ok: boolean }>({
    ...(hasOrders ? statements.orders : statements.alerts),
    values: [
      ...(one === null ? valuesOfMany(known, events) : valuesOfOne(one.agent, one.event)),
      ...counterValues(rules),
      ...(hasOrders ? [orderValues(orders), tradeLogValues(entries)] : []),
    ],
  });
  return rows[0]?.ok === true;
}

const valuesOfMany = (known: readonly KnownVersion[], events: readonly AlertEvent[]): unknown[] => [
  known.map(({ agentId }) => agentId),
  known.map(({ version }) => version.toString()),
  known.filter(({ isCounted }) => isCounted).map(({ agentId }) => agentId),
  alertEventsValue(events),
];

const valuesOfOne = (
  { agentId, version, isCounted }: KnownVersion,
  event: AlertEvent,
): unknown[] => [agentId, version.toString(), isCounted ? 1 : 0, ...alertEventValues(event)];
