import type { Db } from "../postgres/db.ts";

/** Records that a nonce was used; of several concurrent callers exactly one gets true. */
export async function useNonce(db: Db, nonce: string, expiresAt: number): Promise<boolean> {
  const row = await db
    .insertInto("used_nonces")
    .values({ nonce, expires_at: new Date(expiresAt) })
    .onConflict((conflict) => conflict.doNothing())
    .returning("nonce")
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes at most `limit` nonces that expired before the given time and returns how many. */
export async function deleteExpiredNonces(db: Db, before: number, limit: number): Promise<number> {
  const old = db
    .selectFrom("used_nonces")
    .select("nonce")
    .where("expires_at", "<", new Date(before))
    .orderBy("expires_at")
    .limit(limit);
  const deleted = await db
    .deleteFrom("used_nonces")
    .where("nonce", "in", old)
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}
