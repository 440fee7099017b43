import type { AlertCondition } from "../../../domain/condition/condition.ts";
import { type AgentId, type OwnerAddress, parseAgentId, parseOwner } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

export interface AlertRecord {
  readonly id: string;
  readonly name: string;
  readonly nameKey: string;
  readonly description: string;
  /** Null when the alert is external only. */
  readonly condition: AlertCondition | null;
}

/** Returns the agent's alerts in order of creation. */
export async function listAlertsOf(db: Db, agentId: AgentId): Promise<AlertRecord[]> {
  return on(db).rows<AlertRecord>`
    select id, name, name_key as "nameKey", description, condition from alerts
    where agent_id = ${agentId} order by seq`;
}

export async function insertAlert(db: Db, agentId: AgentId, alert: AlertRecord): Promise<void> {
  const { id, name, nameKey, description, condition } = alert;
  await on(db).change`
    insert into alerts (id, agent_id, name, name_key, description, condition)
    values (${id}, ${agentId}, ${name}, ${nameKey}, ${description}, ${asJson(condition)})`;
}

/** Updates many alerts at once; they may exchange names. */
export async function updateAlerts(db: Db, alerts: readonly AlertRecord[]): Promise<void> {
  if (alerts.length === 0) return;
  const ids = alerts.map((alert) => alert.id);
  // Names contain no control characters, so the interim keys cannot collide with one
  await on(db).change`update alerts set name_key = chr(1) || id where id = any(${ids})`;
  for (const { id, name, nameKey, description, condition } of alerts) {
    await on(db).change`
      update alerts set name = ${name}, name_key = ${nameKey}, description = ${description},
        condition = ${asJson(condition)}
      where id = ${id}`;
  }
}

const asJson = (condition: AlertCondition | null) =>
  condition === null ? null : JSON.stringify(condition);

/** Deletes alerts and, by cascade, the conditions that refer to them. */
export async function deleteAlerts(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteRows(db, "alerts", ids);
}

/** Number of alerts of one agent that arrived with a replaced token. */
export interface ReplacedTokenAlerts {
  readonly alerts: number;
  readonly lastAtMs: number;
}

/** Adds to the counts of agents that still exist. */
export async function addReplacedTokenAlerts(
  db: Db,
  counted: ReadonlyMap<string, ReplacedTokenAlerts>,
): Promise<void> {
  const all = [...counted];
  const agentIds = all.map(([agentId]) => agentId);
  const times = all.map(([, { lastAtMs }]) => new Date(lastAtMs).toISOString());
  const alerts = all.map(([, each]) => each.alerts);
  await on(db).change`
    insert into replaced_token_alerts as kept (agent_id, since, last_at, alerts)
    select id, at, at, added from agents
      join unnest(${agentIds}::text[], ${times}::timestamptz[], ${alerts}::bigint[]) as new (id, at, added)
        using (id)
    on conflict (agent_id) do update set
      alerts = kept.alerts + excluded.alerts,
      last_at = greatest(kept.last_at, excluded.last_at)`;
}

/** Resets the count; called when the token is replaced. */
export async function resetReplacedTokenAlerts(db: Db, agentId: AgentId, atMs: number) {
  await on(db).change`
    insert into replaced_token_alerts (agent_id, since, last_at, alerts)
    values (${agentId}, ${new Date(atMs)}, null, 0)
    on conflict (agent_id) do update set since = excluded.since, last_at = null, alerts = 0`;
}

/** Deliveries to one agent that could not be read, with what is told of the last one. */
export interface UnreadableDeliveries {
  readonly deliveries: number;
  readonly atMs: number;
  readonly problem: string;
  /** Returns the beginning of its text as its owner may see it; null where nothing may be shown. */
  readonly sample: () => string | null;
}

/** Adds to the counts of agents that still exist, which begin anew after a day without any; returns these agents. */
export async function addUnreadableDeliveries(
  db: Db,
  counted: ReadonlyMap<AgentId, UnreadableDeliveries>,
): Promise<readonly { readonly agentId: AgentId; readonly owner: OwnerAddress }[]> {
  const all = [...counted].map(([id, { deliveries, atMs, problem, sample }]) => {
    return { id, at: new Date(atMs).toISOString(), added: deliveries, problem, sample: sample() };
  });
  const rows = await on(db).rows<{ agentId: string; owner: string }>`
    with written as (
      insert into unreadable_deliveries as kept (agent_id, since, last_at, deliveries, problem, sample)
      select id, at, at, added, new.problem, new.sample from agents
        join json_to_recordset(${JSON.stringify(all)}::json)
          as new (id text, at timestamptz, added bigint, problem text, sample text) using (id)
      order by id
      on conflict (agent_id) do update set
        since = case when kept.last_at < excluded.last_at - interval '1 day' then excluded.since else kept.since end,
        deliveries = case when kept.last_at < excluded.last_at - interval '1 day' then 0 else kept.deliveries end
          + excluded.deliveries,
        last_at = excluded.last_at, problem = excluded.problem, sample = excluded.sample
      returning agent_id
    )
    select id as "agentId", owner from agents join written on agent_id = id`;
  return rows.map(({ agentId, owner }) => ({
    agentId: parseAgentId(agentId),
    owner: parseOwner(owner),
  }));
}

/**
 * Returns what is told of an agent's unreadable deliveries, or null where there was none for a week. One is past once a
 * delivery after it was taken.
 */
export async function readUnreadableDeliveries(db: Db, agentId: AgentId, nowMs: number) {
  const row = await on(db).row<{
    since: Date;
    lastAt: Date;
    deliveries: string;
    problem: string;
    sample: string | null;
    isPast: boolean;
  }>`
    select since, last_at as "lastAt", deliveries, problem, sample, exists (
      select from (
        select received_at, outcome, compared from alert_events
        where agent_id = ${agentId}::uuid order by seq desc limit 100
      ) as event
      where outcome <> 'refused' and compared is null and received_at > last_at
    ) as "isPast"
    from unreadable_deliveries
    where agent_id = ${agentId} and last_at > ${new Date(nowMs - 7 * 86_400_000)}`;
  return row === null ? null : { ...row, deliveries: Number(row.deliveries) };
}

/** Returns the count, or null when no such alert arrived since the replacement. */
export async function readReplacedTokenAlerts(
  db: Db,
  agentId: AgentId,
): Promise<{ readonly alerts: number; readonly since: Date; readonly lastAt: Date } | null> {
  const row = await on(db).row<{ since: Date; lastAt: Date; alerts: string }>`
    select since, last_at as "lastAt", alerts from replaced_token_alerts
    where agent_id = ${agentId} and last_at is not null`;
  return row === null ? null : { ...row, alerts: Number(row.alerts) };
}
