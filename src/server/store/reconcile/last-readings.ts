import { sql } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { KeyState } from "../../../domain/agent-health.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

/** Result of the last reading of an agent's accounts, by any process. */
export interface LastReading {
  /** Time of the last completed reading; null before the first. */
  readonly doneAtMs: number | null;
  /** Time since which the chain or the venue does not answer; null while it does. */
  readonly failingSinceMs: number | null;
  /** Why it does not; null while it does. */
  readonly reason: string | null;
  readonly key: KeyState | null;
}

/** A reading that has just ended. */
export interface EndedReading {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly atMs: number;
  /** Why the chain or the venue did not answer; null when it did. */
  readonly failure: string | null;
  /** Null when the key was not read; the last one read then stands while the chain answers. */
  readonly key: KeyState | null;
}

/** Stores readings; one that failed keeps the time of the last that succeeded. */
export async function saveLastReadings(db: Db, looks: readonly EndedReading[]): Promise<void> {
  if (looks.length === 0) return;
  const column = <T>(of: (look: EndedReading) => T) => looks.map(of);
  await on(db).change`
    insert into agent_looks (agent_id, network, done_at, failing_since, key_state, reason)
    select agent_id, network, case when reason is null then at end, case when reason is not null then at end,
      case when reason is null then key_state end, reason
    from unnest(${column(({ agentId }) => agentId)}::text[], ${column(({ network }) => network)}::text[],
      ${column(({ atMs }) => new Date(atMs).toISOString())}::timestamptz[],
      ${column(({ key }) => key)}::text[], ${column(({ failure }) => failure)}::text[]
    ) as ended (agent_id, network, at, key_state, reason)
    on conflict (agent_id) do update set
      network = excluded.network,
      done_at = coalesce(excluded.done_at, agent_looks.done_at),
      failing_since = case when excluded.done_at is null
        then coalesce(agent_looks.failing_since, excluded.failing_since) end,
      key_state = case when excluded.done_at is not null
        then coalesce(excluded.key_state, agent_looks.key_state) end,
      reason = excluded.reason`;
}

/** Removes the readings of a network's agents that are not in the list. */
export async function keepLastReadings(
  db: Db,
  network: Network,
  agentIds: readonly AgentId[],
): Promise<void> {
  const gone = sql`
    select agent_id from agent_looks where network = ${network} and agent_id <> all(${agentIds})`;
  await deleteRows(db, "agent_looks", gone);
}

export async function findLastReading(db: Db, agentId: AgentId): Promise<LastReading | null> {
  const row = await on(db).row<{
    doneAt: Date | null;
    failingSince: Date | null;
    reason: string | null;
    key: KeyState | null;
  }>`
    select done_at as "doneAt", failing_since as "failingSince", reason, key_state as key
    from agent_looks where agent_id = ${agentId}`;
  if (row === null) return null;
  const { doneAt, failingSince, reason, key } = row;
  return {
    doneAtMs: doneAt?.getTime() ?? null,
    failingSinceMs: failingSince?.getTime() ?? null,
    reason,
    key,
  };
}

/** The readings of a network's agents, counted. */
export interface ReadingCounts {
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
export async function countLastReadings(db: Db): Promise<readonly ReadingCounts[]> {
  return on(db).rows<ReadingCounts>`
    with keys as (
      select network, key_state, count(*)::int as agents from agent_looks
      where key_state is not null group by network, key_state)
    select network, count(*)::int as agents, count(failing_since)::int as unanswered,
      min(done_at) as "oldestDoneAt",
      coalesce((select jsonb_object_agg(key_state, keys.agents) from keys
        where keys.network = agent_looks.network), '{}') as keys
    from agent_looks group by network`;
}

/** An agent whose chain or venue did not answer its last reading. */
export interface FailingReading {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly failingSince: Date;
  readonly reason: string | null;
}

/** Returns the agents whose last reading failed, the longest first. */
export async function listFailingReadings(
  db: Db,
  most: number,
): Promise<readonly FailingReading[]> {
  const rows = await on(db).rows<Unparsed<FailingReading>>`
    select agent_id as "agentId", network, failing_since as "failingSince", reason from agent_looks
    where failing_since is not null order by failing_since, agent_id limit ${most}`;
  return rows.map((row) => ({ ...row, agentId: parseAgentId(row.agentId) }));
}
