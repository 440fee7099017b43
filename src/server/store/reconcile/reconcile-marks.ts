import type { Db } from "../postgres/db.ts";

/** Where the reconciler stands with one agent's venue account. */
export interface ReconcileMark {
  /** Digest of the account when it was last looked at. */
  readonly content: string;
  /** When its transactions were last searched to the end; null while they are not for the present content. */
  readonly searchedAtMs: number | null;
  /** Signatures of the last search that need not be asked for again. */
  readonly judged: readonly string[];
}

/** Reads where the reconciler stands with an agent, null before the first time. */
export async function readReconcileMark(db: Db, agentId: string): Promise<ReconcileMark | null> {
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

/** Keeps where the reconciler stands. Of two servers at once either's word is good: both looked at the same chain. */
export async function keepReconcileMark(
  db: Db,
  agentId: string,
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
