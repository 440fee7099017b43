import { sql } from "kysely";
import { OPEN_ORDER_STATES } from "../../domain/order/order-states.ts";
import type { Db } from "./db.ts";
import type { AgentWithWork } from "./orders.ts";
import { stateList } from "./order-state-sql.ts";

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

/** Returns the stopping agents with no order and no exit that would bring up their lane: what they hold is not known. */
export async function listIdleStops(db: Db): Promise<readonly AgentWithWork[]> {
  const { rows } = await sql<AgentWithWork>`
    select id as "agentId", network from agents where auto_trade = 'stopping'
      and not exists (select from exits where agent_id = agents.id and state = 'working')
      and not exists (select from orders where agent_id = agents.id
        and state in ${sql.raw(stateList(OPEN_ORDER_STATES))})`.execute(db);
  return rows;
}
