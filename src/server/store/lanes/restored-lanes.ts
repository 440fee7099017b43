import type { AgentId } from "../../../domain/ids.ts";
import { type AgentWithWork, toAgentWithWork } from "../orders/lanes-with-work.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** A lane of a restored database, until what was traded after the backup is known. */
export interface RestoredLane {
  readonly atMs: number;
  /** Transactions signed before the restore land up to this block height; null until it was read. */
  readonly height: bigint | null;
}

/** Holds every lane until the chain has shown what was traded after the backup. */
export async function holdRestoredLanes(db: Db, atMs: number): Promise<void> {
  await on(db).change`update lanes set restored_at = ${new Date(atMs)}, restored_height = null`;
}

/** Marks all bars up to now as evaluated: what they fired was traded before the restore, or is too old. */
export async function skipFormerBars(db: Db, atMs: number): Promise<void> {
  await on(db).change`
    update condition_progress set evaluated_to = greatest(evaluated_to, ${new Date(atMs)}::timestamptz)`;
}

/** Returns the agents whose lanes still wait for that. */
export async function listRestoredAgents(db: Db): Promise<readonly AgentWithWork[]> {
  const rows = await on(db).rows<Unparsed<AgentWithWork>>`
    select agents.id as "agentId", network, owner, true as "isExit"
    from lanes join agents on agents.id = lanes.agent_id
    where restored_at is not null`;
  return rows.map(toAgentWithWork);
}

/** Returns whether what an agent traded after the backup is not known yet. */
export async function isRestored(db: Db, agentId: AgentId): Promise<boolean> {
  return on(db).has`
    select from lanes where agent_id = ${agentId} and restored_at is not null`;
}
