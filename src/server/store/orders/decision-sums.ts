import { sql } from "kysely";
import type { Db } from "../postgres/db.ts";

/** A trade log entry with its rule and alerts; `bigint` columns are decimal text. */
export interface DecidedTrade {
  readonly id: string;
  readonly market: string;
  readonly signal: string;
  readonly side: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string | null;
  readonly baseSize: string;
  readonly quoteTotal: string;
  /** Null when the market is unknown: the entry then has no amounts. */
  readonly quoteDecimals: number | null;
  readonly fee: string | null;
  readonly ruleId: string | null;
  readonly leg: number;
  /** Distinct alerts that counted towards it. */
  readonly alertKeys: readonly string[];
}

/** Maximum number of entries that are summed, the newest ones. */
const MAX_LINES = 10_000;

/** Returns an agent's newest entries, oldest first. */
export async function listDecidedTrades(db: Db, agentId: string): Promise<readonly DecidedTrade[]> {
  const { rows } = await sql<DecidedTrade>`
    select line.id, line.market, line.signal, line.side, line.type, line.status, line.reason,
      line.base_size as "baseSize", line.quote_total as "quoteTotal",
      line.quote_decimals as "quoteDecimals", line.fee, coalesce(orders.leg, 0) as leg,
      coalesce(decisions.rule_id, line.rule_id) as "ruleId",
      array(
        select alert ->> 'alertKey' from jsonb_array_elements(
          decisions.facts -> 'cause' -> 'alerts') as counted (alert)
        union select encode(uuid_send(event.alert_id), 'hex') where event.alert_id is not null
      ) as "alertKeys"
    from trade_log line
    left join orders on orders.id = line.order_id
    left join decisions on decisions.order_id = line.order_id
    left join alert_events event on event.id = line.event_id
    where line.agent_id = ${agentId}
    order by line.seq desc limit ${MAX_LINES}`.execute(db);
  return rows.toReversed();
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
export async function countAlertEvents(db: Db, agentId: string): Promise<readonly AlertCount[]> {
  const { rows } = await sql<AlertCount>`
    select alert_id as "alertKey", max(alert_name) as "alertName", outcome, reason,
      count(*)::int as count
    from alert_events where agent_id = ${agentId} and outcome <> 'duplicate'
    group by alert_id, case when alert_id is null then alert_name end, outcome, reason`.execute(db);
  return rows;
}
