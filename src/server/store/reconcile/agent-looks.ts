import { sql } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { KeyState } from "../../../domain/agent-health.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";

/** Result of the last reading of an agent's accounts, by any process. */
export interface AgentLook {
  /** Time of the last completed reading; null before the first. */
  readonly doneAtMs: number | null;
  /** Time since which the chain or the venue does not answer; null while it does. */
  readonly failingSinceMs: number | null;
  /** Why it does not; null while it does. */
  readonly reason: string | null;
  readonly key: KeyState | null;
}

/** A reading that has just ended. */
export interface EndedLook {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly atMs: number;
  /** Why the chain or the venue did not answer; null when it did. */
  readonly failure: string | null;
  /** Null when the key was not read; the last one read then stands while the chain answers. */
  readonly key: KeyState | null;
}

/** Stores readings; one that failed keeps the time of the last that succeeded. */
export async function saveAgentLooks(db: Db, looks: readonly EndedLook[]): Promise<void> {
  if (looks.length === 0) return;
  const rows = looks.map(({ agentId, network, atMs, failure, key }) => {
    const at = new Date(atMs);
    const hasAnswered = failure === null;
    return {
      agent_id: agentId,
      network,
      done_at: hasAnswered ? at : null,
      failing_since: hasAnswered ? null : at,
      key_state: hasAnswered ? key : null,
      reason: failure,
    };
  });
  await db
    .insertInto("agent_looks")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("agent_id").doUpdateSet({
        network: sql`excluded.network`,
        done_at: sql`coalesce(excluded.done_at, agent_looks.done_at)`,
        failing_since: sql`case when excluded.done_at is null
          then coalesce(agent_looks.failing_since, excluded.failing_since) end`,
        key_state: sql`case when excluded.done_at is not null
          then coalesce(excluded.key_state, agent_looks.key_state) end`,
        reason: sql`excluded.reason`,
      }),
    )
    .execute();
}

/** Stores which key may trade, read between two rounds. Returns whether the last reading said something else. */
export async function saveKeyState(db: Db, agentId: AgentId, key: KeyState): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("agent_looks")
    .set({ key_state: key })
    .where("agent_id", "=", agentId)
    .where("key_state", "is distinct from", key)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes the readings of a network's agents that are not in the list. */
export async function keepAgentLooks(
  db: Db,
  network: Network,
  agentIds: readonly AgentId[],
): Promise<void> {
  await sql`delete from agent_looks
    where network = ${network} and agent_id <> all(${agentIds})`.execute(db);
}

export async function findAgentLook(db: Db, agentId: AgentId): Promise<AgentLook | null> {
  const row = await db
    .selectFrom("agent_looks")
    .select(["done_at", "failing_since", "key_state", "reason"])
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    doneAtMs: row.done_at?.getTime() ?? null,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    reason: row.reason,
    key: row.key_state,
  };
}

/** The readings of a network's agents, counted. */
export interface LookCounts {
  readonly network: Network;
  /** Agents whose chain or venue did not answer the last reading. */
  readonly unanswered: number;
  /** Agents by whose key may trade, as far as it was read. */
  readonly keys: Readonly<Partial<Record<KeyState, number>>>;
  readonly agents: number;
  /** Time of the last completed reading of the agent it is longest ago for. */
  readonly oldestDoneAt: Date | null;
}

/** Counts the readings of every network. */
export async function countAgentLooks(db: Db): Promise<readonly LookCounts[]> {
  const { rows } = await sql<LookCounts>`
    with keys as (
      select network, key_state, count(*)::int as agents from agent_looks
      where key_state is not null group by network, key_state)
    select network, count(*)::int as agents, count(failing_since)::int as unanswered,
      min(done_at) as "oldestDoneAt",
      coalesce((select jsonb_object_agg(key_state, keys.agents) from keys
        where keys.network = agent_looks.network), '{}') as keys
    from agent_looks group by network`.execute(db);
  return rows;
}

/** An agent whose chain or venue did not answer its last reading. */
export interface FailingLook {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly failingSince: Date;
  readonly reason: string | null;
}

/** Returns the agents whose last reading failed, the longest first. */
export async function listFailingLooks(db: Db, most: number): Promise<readonly FailingLook[]> {
  const rows = await db
    .selectFrom("agent_looks")
    .select(["agent_id", "network", "failing_since", "reason"])
    .where("failing_since", "is not", null)
    .orderBy("failing_since")
    .orderBy("agent_id")
    .limit(most)
    .execute();
  return rows.flatMap(({ agent_id, network, failing_since, reason }) =>
    failing_since === null
      ? []
      : { agentId: parseAgentId(agent_id), network, failingSince: failing_since, reason },
  );
}
