import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

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
