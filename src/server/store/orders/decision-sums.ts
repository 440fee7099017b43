import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import { SIGNALS } from "../../../domain/signal.ts";
import { allMarkets } from "../../../venues/profiles.ts";
import { readPending } from "../ledger/pending-entries.ts";
import type { Db } from "../postgres/db.ts";
import { profitsOf } from "./closed-profits.ts";

/** Number of trade log entries with the same denial. */
export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

/** Sums over the trade log entries of one rule or one alert. */
export interface CauseSum {
  readonly kind: "rule" | "alert";
  readonly cause: string;
  readonly traded: number;
  readonly denied: number;
  /** Entries of an alert's own firing; the second leg of a reversal belongs to the same one. */
  readonly fired: number;
  /** Newest signal of its entries; null without one. */
  readonly action: string | null;
  /** In the order they first came. */
  readonly reasons: readonly ReasonCount[];
  /** Closings that it closed or had opened. */
  readonly closed: number;
  readonly wins: number;
  /** Their PnL in base units, decimal text, and its decimals; null without a closing. */
  readonly earned: string | null;
  readonly decimals: number | null;
}

/** Maximum number of entries that are summed, the newest ones. */
const MAX_LINES = 10_000;

const SPOT_MARKETS = allMarkets()
  .filter(({ kind }) => kind === "spot")
  .map(({ marketId }) => marketId);

/**
 * Whether an entry's order opened a position: the closing half of a reversal is recorded with the opening's signal, and its
 * side shows that it closed. Opening a long on a spot market is buying.
 */
const IS_OPENING = sql`starts_with(line.signal, 'OPEN_')
  and line.side = case when line.signal = 'OPEN_SHORT' then 'short'
    when line.market = any(${SPOT_MARKETS}) then 'buy' else 'long' end`;

/** Sums an agent's newest entries by the rule and the alerts that caused them, in the order of their first signal. */
export async function sumByCause(db: Db, agentId: AgentId): Promise<readonly CauseSum[]> {
  const pending = await readPending(db, agentId);
  const { rows } = await sql<CauseSum>`
    with newest as materialized (
      select line.id, line.order_id, line.signature, line.seq, line.market, line.signal, line.side, line.type,
        line.status, line.reason, line.quote_decimals, ${IS_OPENING} as is_opening,
        coalesce(orders.leg, 0) as leg,
        coalesce(decisions.rule_id, line.rule_id) as rule_id,
        array(
          select alert ->> 'alertKey' from jsonb_array_elements(
            decisions.facts -> 'cause' -> 'alerts') as counted (alert)
          union select encode(uuid_send(event.alert_id), 'hex') where event.alert_id is not null
        ) as alerts
      from trade_log line
      left join orders on orders.id = line.order_id
      left join decisions on decisions.order_id = line.order_id
      left join alert_events event on event.id = line.event_id
      where line.agent_id = ${agentId}
      order by line.seq desc limit ${MAX_LINES}
    ), caused as materialized (
      select 'rule' as kind, rule_id as cause, newest.* from newest where rule_id is not null
      union all select 'alert', alert, newest.* from newest, unnest(alerts) as alert
    ), traded as materialized (
      select * from newest where status = 'success'
    ), followed as materialized (
      select seq, quote_decimals, pnl, max(seq) filter (where is_opening) over (
        partition by market order by seq rows between unbounded preceding and 1 preceding) as opened_by
      from traded left join (${profitsOf(agentId, pending, sql`traded`)}) as realised using (id)
    ), profits as (
      select kind, cause, count(*)::int as closed, count(*) filter (where pnl > 0)::int as wins,
        sum(pnl)::text as earned, (array_agg(quote_decimals order by seq))[1] as decimals
      from (
        select closing.seq, pnl, closing.quote_decimals, kind, cause
        from followed closing join caused on caused.seq = closing.seq where pnl is not null
        union
        select closing.seq, pnl, closing.quote_decimals, kind, cause
        from followed closing join caused on caused.seq = opened_by where pnl is not null
      ) as parts group by kind, cause
    ), reasons as (
      select kind, cause,
        json_agg(json_build_object('reason', reason, 'count', count) order by first) as reasons
      from (
        select kind, cause, coalesce(reason, '') as reason, count(*)::int as count, min(seq) as first
        from caused where status = 'failed' and type <> 'reset' group by kind, cause, 3
      ) as counted group by kind, cause
    ), counts as (
      select kind, cause,
        count(*) filter (where status = 'success' and type <> 'reset')::int as traded,
        count(*) filter (where status = 'failed' and type <> 'reset')::int as denied,
        count(*) filter (where leg = 0 and cardinality(alerts) > 0)::int as fired,
        (array_agg(signal order by seq desc) filter (where signal = any(${[...SIGNALS]})))[1] as action,
        min(seq) filter (where signal = any(${[...SIGNALS]})) as first
      from caused group by kind, cause
    )
    select kind, cause, traded, denied, fired, action, coalesce(reasons, '[]') as reasons,
      coalesce(closed, 0) as closed, coalesce(wins, 0) as wins, earned, decimals
    from counts left join profits using (kind, cause) left join reasons using (kind, cause)
    order by first`.execute(db);
  return rows;
}

/** Number of arrivals of an alert by result. `alertKey` is null for an alert that did not count. */
export interface AlertCount {
  readonly alertKey: string | null;
  readonly alertName: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly count: number;
}

/** Returns the counts of an agent's retained alerts, without duplicates. */
export async function countAlertEvents(db: Db, agentId: AgentId): Promise<readonly AlertCount[]> {
  const { rows } = await sql<AlertCount>`
    select alert_id as "alertKey", max(alert_name) as "alertName", outcome, reason,
      count(*)::int as count
    from alert_events where agent_id = ${agentId} and outcome <> 'duplicate'
    group by alert_id, case when alert_id is null then alert_name end, outcome, reason`.execute(db);
  return rows;
}
