import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Reconciliation state of one agent's venue account. */
export interface ReconcileMark {
  /** Digest of the account at the last reading. */
  readonly content: string;
  /** Time of the last complete search of its transactions; null while incomplete for the present content. */
  readonly searchedAtMs: number | null;
  /** Signatures of the last search that are already classified. */
  readonly judged: readonly string[];
}

/** Returns the reconciliation state of an agent, null before the first time. */
export async function readReconcileMark(db: Db, agentId: AgentId): Promise<ReconcileMark | null> {
  const row = await on(db).row<{ content: string; searchedAt: Date | null; judged: string[] }>`
    select content, searched_at as "searchedAt", judged from reconcile_marks where agent_id = ${agentId}`;
  if (row === null) return null;
  const { content, searchedAt, judged } = row;
  return { content, searchedAtMs: searchedAt?.getTime() ?? null, judged };
}

/** Stores the reconciliation state. Either of two concurrent writers is correct: both read the same chain. */
export async function keepReconcileMark(
  db: Db,
  agentId: AgentId,
  mark: ReconcileMark,
): Promise<void> {
  const { content, searchedAtMs, judged } = mark;
  const searchedAt = searchedAtMs === null ? null : new Date(searchedAtMs);
  await on(db).change`
    insert into reconcile_marks (agent_id, content, searched_at, judged)
    values (${agentId}, ${content}, ${searchedAt}, ${judged})
    on conflict (agent_id) do update set content = excluded.content, searched_at = excluded.searched_at,
      judged = excluded.judged`;
}
