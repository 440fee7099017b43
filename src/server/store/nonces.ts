import type { Db } from "./db.ts";

export interface NewNonce {
  readonly nonce: string;
  readonly wallet: string;
  readonly message: string;
  /** Address of the peer that asked. */
  readonly requester: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Stores a nonce and lets the oldest live ones of the same wallet and peer go when there are more than allowed. */
export async function insertNonce(db: Db, row: NewNonce, maxLive: number): Promise<void> {
  await db
    .insertInto("sign_in_nonces")
    .values({
      nonce: row.nonce,
      wallet: row.wallet,
      message: row.message,
      requester: row.requester,
      issued_at: new Date(row.issuedAt),
      expires_at: new Date(row.expiresAt),
      consumed_at: null,
    })
    .execute();
  const newest = db
    .selectFrom("sign_in_nonces")
    .select("nonce")
    .where("wallet", "=", row.wallet)
    .where("requester", "=", row.requester)
    .where("consumed_at", "is", null)
    .orderBy("issued_at", "desc")
    .orderBy("nonce")
    .limit(maxLive);
  await db
    .deleteFrom("sign_in_nonces")
    .where("wallet", "=", row.wallet)
    .where("requester", "=", row.requester)
    .where("consumed_at", "is", null)
    .where("nonce", "not in", newest)
    .where("nonce", "!=", row.nonce)
    .execute();
}

/** The message of a live nonce of this wallet. */
export async function findNonceMessage(
  db: Db,
  nonce: string,
  wallet: string,
  now: number,
): Promise<string | null> {
  const row = await db
    .selectFrom("sign_in_nonces")
    .select("message")
    .where("nonce", "=", nonce)
    .where("wallet", "=", wallet)
    .where("consumed_at", "is", null)
    .where("expires_at", ">", new Date(now))
    .executeTakeFirst();
  return row?.message ?? null;
}

/** Burns the nonce; of several callers exactly one gets true. */
export async function consumeNonce(db: Db, nonce: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable("sign_in_nonces")
    .set({ consumed_at: new Date(now) })
    .where("nonce", "=", nonce)
    .where("consumed_at", "is", null)
    .where("expires_at", ">", new Date(now))
    .returning("nonce")
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes at most `limit` nonces that expired before the given time and returns how many. */
export async function deleteExpiredNonces(db: Db, before: number, limit: number): Promise<number> {
  const old = db
    .selectFrom("sign_in_nonces")
    .select("nonce")
    .where("expires_at", "<", new Date(before))
    .orderBy("expires_at")
    .limit(limit);
  const deleted = await db
    .deleteFrom("sign_in_nonces")
    .where("nonce", "in", old)
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}
