import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

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
  await sql`
    insert into replaced_token_alerts as kept (agent_id, since, last_at, alerts)
    select id, at, at, added from agents
      join unnest(${agentIds}::text[], ${times}::timestamptz[], ${alerts}::bigint[]) as new (id, at, added)
        using (id)
    on conflict (agent_id) do update set
      alerts = kept.alerts + excluded.alerts,
      last_at = greatest(kept.last_at, excluded.last_at)`.execute(db);
}

/** Resets the count; called when the token is replaced. */
export async function resetReplacedTokenAlerts(db: Db, agentId: AgentId, atMs: number) {
  const fresh = { since: new Date(atMs), last_at: null, alerts: "0" };
  await db
    .insertInto("replaced_token_alerts")
    .values({ agent_id: agentId, ...fresh })
    .onConflict((conflict) => conflict.column("agent_id").doUpdateSet(fresh))
    .execute();
}

/** Returns the count, or null when no such alert arrived since the replacement. */
export async function readReplacedTokenAlerts(
  db: Db,
  agentId: AgentId,
): Promise<{ readonly alerts: number; readonly since: Date; readonly lastAt: Date } | null> {
  const row = await db
    .selectFrom("replaced_token_alerts")
    .select(["since", "last_at as lastAt", "alerts"])
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  if (row === undefined || row.lastAt === null) return null;
  return { since: row.since, lastAt: row.lastAt, alerts: Number(row.alerts) };
}
