import { sql } from "kysely";
import type { Db } from "./db.ts";

export type AutoTrade = "on" | "stopping" | "off";

/** Reads whether an agent trades. Null without such an agent. */
export async function readAutoTrade(db: Db, agentId: string): Promise<AutoTrade | null> {
  const row = await db
    .selectFrom("agents")
    .select("auto_trade")
    .where("id", "=", agentId)
    .executeTakeFirst();
  return row?.auto_trade ?? null;
}

/** Changes whether an agent trades, only from one of the given values. Says whether it did. */
export async function moveAutoTrade(
  db: Db,
  agentId: string,
  from: readonly AutoTrade[],
  to: AutoTrade,
  atMs: number,
): Promise<boolean> {
  const changed = await db
    .updateTable("agents")
    .set({ auto_trade: to, updated_at: new Date(atMs) })
    .where("id", "=", agentId)
    .where("auto_trade", "in", from)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

/**
 * Returns the stopping agents nobody is waiting for: those whose closing failed wait for their owner, who was told.
 */
export async function listUnfinishedStops(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from agents where auto_trade = 'stopping' and not exists (
      select from (
        select event_id, status, reason from trade_log where agent_id = agents.id
        order by seq desc limit 1) as newest
      where event_id is null and status = 'failed' and reason <> 'nothing_to_close')`.execute(db);
  return rows.map((row) => row.id);
}

/** Returns the agents that were told to stop and still may hold positions. */
export async function listStoppingAgents(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("agents")
    .select("id")
    .where("auto_trade", "=", "stopping")
    .execute();
  return rows.map((row) => row.id);
}
