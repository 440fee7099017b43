import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

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
  const row = await db
    .selectFrom("reconcile_marks")
    .selectAll()
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  return row === undefined
    ? null
    : {
        content: row.content,
        searchedAtMs: row.searched_at?.getTime() ?? null,
        judged: row.judged,
      };
}

/** Stores the reconciliation state. Either of two concurrent writers is correct: both read the same chain. */
export async function keepReconcileMark(
  db: Db,
  agentId: AgentId,
  mark: ReconcileMark,
): Promise<void> {
  const values = {
    content: mark.content,
    searched_at: mark.searchedAtMs === null ? null : new Date(mark.searchedAtMs),
    judged: [...mark.judged],
  };
  await db
    .insertInto("reconcile_marks")
    .values({ agent_id: agentId, ...values })
    .onConflict((conflict) => conflict.column("agent_id").doUpdateSet(values))
    .execute();
}
