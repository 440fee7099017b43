import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import { type AgentWithWork, toAgentWithWork } from "../orders/lanes-with-work.ts";
import type { Db } from "../postgres/db.ts";

/** A lane of a restored database, until what was traded after the backup is known. */
export interface RestoredLane {
  readonly atMs: number;
  /** Transactions signed before the restore land up to this block height; null until it was read. */
  readonly height: bigint | null;
}

/** Holds every lane until the chain has shown what was traded after the backup. */
export async function holdRestoredLanes(db: Db, atMs: number): Promise<void> {
  await db
    .updateTable("lanes")
    .set({ restored_at: new Date(atMs), restored_height: null })
    .execute();
}

/** Marks all bars up to now as evaluated: what they fired was traded before the restore, or is too old. */
export async function skipFormerBars(db: Db, atMs: number): Promise<void> {
  await db
    .updateTable("condition_progress")
    .set({ evaluated_to: sql<Date>`greatest(evaluated_to, ${new Date(atMs)})` })
    .execute();
}

/** Returns the agents whose lanes still wait for that. */
export async function listRestoredAgents(db: Db): Promise<readonly AgentWithWork[]> {
  const rows = await db
    .selectFrom("lanes")
    .innerJoin("agents", "agents.id", "lanes.agent_id")
    .select(["agents.id as agentId", "network", "owner", sql<boolean>`true`.as("isExit")])
    .where("restored_at", "is not", null)
    .execute();
  return rows.map(toAgentWithWork);
}

/** Returns whether what an agent traded after the backup is not known yet. */
export async function isRestored(db: Db, agentId: AgentId): Promise<boolean> {
  const row = await db
    .selectFrom("lanes")
    .select("restored_at")
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  return row !== undefined && row.restored_at !== null;
}
