import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { AlertOutcome } from "../alerts/alert-events.ts";
import type { ConditionMarket } from "../alerts/conditions.ts";
import { FLAGGED_SINCE } from "../custody/custody-notices.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Recorded health of an agent. */
export interface HealthRecord extends ConditionMarket {
  readonly autoTrade: "on" | "stopping" | "off";
  /** Whether the agent has alerts without, and with, a condition of its own. */
  readonly awaitsAlerts: boolean;
  readonly hasConditions: boolean;
  /** Close time of the last bar its conditions were evaluated on; null before the first. */
  readonly evaluatedTo: Date | null;
  readonly heardAt: Date | null;
  readonly heardOutcome: AlertOutcome | null;
  /** Number of sent orders with unknown outcome, and when the first of them was sent. */
  readonly unsettled: number;
  readonly unsettledSince: Date | null;
  /** Since when its position is known to lack the stop of its plan. */
  readonly stopMissingSince: Date | null;
}

const LAST_HEARD = sql`left join lateral (
    select received_at, outcome from alert_events where agent_id = agents.id::uuid order by seq desc limit 1
  ) heard on true`;

const AWAITS_ALERTS = sql`exists (
    select from alerts where agent_id = agents.id and condition is null)`;

/** Returns the recorded health of an agent; null for an unknown one. */
export async function readHealth(db: Db, agentId: AgentId): Promise<HealthRecord | null> {
  return on(db).row<HealthRecord>`
    select network, venue, market_id as "marketId", interval, auto_trade as "autoTrade",
      ${AWAITS_ALERTS} as "awaitsAlerts",
      exists (select from alerts where agent_id = agents.id and condition is not null) as "hasConditions",
      evaluated_to as "evaluatedTo", received_at as "heardAt", outcome as "heardOutcome",
      unsettled, since as "unsettledSince",
      (${sql.raw(FLAGGED_SINCE("agents.id", "stop_missing"))}) as "stopMissingSince"
    from agents ${LAST_HEARD}
    left join condition_progress on condition_progress.agent_id = agents.id
    cross join lateral (
      select count(*)::int as unsettled, min(submitted_at) as since from orders
      where agent_id = agents.id and state in ('submitted', 'unknown')
    ) sent
    where agents.id = ${agentId}`;
}

/** Health of a network's agents across all servers of the database. */
export interface NetworkHealth {
  readonly network: string;
  /** Number of trading agents that wait for alerts and have received none since the given time. */
  readonly silent: number;
  readonly lastAlertAt: Date | null;
  readonly unsettled: number;
  readonly unsettledSince: Date | null;
}

/** Returns the health of the agents, by network. */
export async function readHealthByNetwork(
  db: Db,
  silentSince: Date,
): Promise<readonly NetworkHealth[]> {
  return on(db).rows<NetworkHealth>`
    with sent as (
      select agent_id, count(*) as unsettled, min(submitted_at) as since from orders
      where state in ('submitted', 'unknown') group by agent_id
    )
    select network, max(received_at) as "lastAlertAt", min(since) as "unsettledSince",
      coalesce(sum(unsettled), 0)::int as unsettled,
      (count(*) filter (
        where auto_trade = 'on' and received_at < ${silentSince} and ${AWAITS_ALERTS}))::int as silent
    from agents ${LAST_HEARD}
    left join sent on sent.agent_id = agents.id
    group by network`;
}

/** Time from an alert's arrival to the moment its fill was known, over the newest orders sent since a time. */
export interface FillTimes {
  readonly network: string;
  readonly fills: number;
  /** Milliseconds within which half, and 95 of 100, of the fills were known. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Newest fills that are read, so that the answer costs the same on a busy day. */
const MOST_FILLS = 10_000;

/**
 * Returns the fill times of all agents, or of one, by network; a network without a fill has no row.
 *
 * Only orders an alert planned count: the second half of a reversal waits for the first, and an exit's later attempts
 * have no alert of their own.
 */
export async function readFillTimes(
  db: Db,
  {
    since,
    agentId = null,
    most = MOST_FILLS,
  }: { readonly since: Date; readonly agentId?: AgentId | null; readonly most?: number },
): Promise<readonly FillTimes[]> {
  return on(db).rows<FillTimes>`
    select agents.network, count(*)::int as fills,
      percentile_cont(0.5) within group (order by took)::float8 as "p50Ms",
      percentile_cont(0.95) within group (order by took)::float8 as "p95Ms"
    from (
      select * from orders
      where submitted_at >= ${since} and leg = 0 and settled_at is not null
        and state in ('filled', 'partially_filled')
        and (${agentId}::text is null or agent_id = ${agentId})
      order by submitted_at desc limit ${most}
    ) as orders
    join alert_events on alert_events.id = orders.event_id::uuid
    join agents on agents.id = orders.agent_id
    cross join lateral (
      select extract(epoch from orders.settled_at - alert_events.received_at) * 1000 as took
    ) times
    group by agents.network order by agents.network`;
}
