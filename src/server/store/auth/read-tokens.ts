import { sql } from "kysely";
import { type OwnerAddress, parseOwner } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

/** A listed token without its secret, which is not stored. */
export interface ReadTokenRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Returns a wallet's valid tokens, newest first. */
export async function listLiveTokens(
  db: Db,
  wallet: OwnerAddress,
  now: number,
): Promise<readonly ReadTokenRow[]> {
  const rows = await db
    .selectFrom("read_tokens")
    .selectAll()
    .where("wallet", "=", wallet)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", new Date(now))
    .orderBy("created_at", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }));
}

export async function insertReadToken(
  db: Db,
  token: {
    readonly id: string;
    readonly wallet: OwnerAddress;
    readonly name: string;
    readonly tokenHash: string;
    readonly createdAt: number;
    readonly expiresAt: number;
  },
): Promise<void> {
  await db
    .insertInto("read_tokens")
    .values({
      id: token.id,
      wallet: token.wallet,
      name: token.name,
      token_hash: token.tokenHash,
      created_at: new Date(token.createdAt),
      expires_at: new Date(token.expiresAt),
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
}

/** Revokes a wallet's token; returns false when it has no valid token with that id. */
export async function revokeToken(
  db: Db,
  wallet: OwnerAddress,
  id: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("read_tokens")
    .set({ revoked_at: new Date(now) })
    .where("id", "=", id)
    .where("wallet", "=", wallet)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Revokes every token of every wallet and returns how many. */
export async function revokeAllTokens(db: Db, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("read_tokens")
    .set({ revoked_at: new Date(now) })
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Precision of the stored last use in milliseconds, so that not every call writes the row. */
const LAST_USE_MS = 60_000;

/** Returns the valid token with a digest and records its use; null when there is none. */
export async function useReadToken(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<{ readonly id: string; readonly wallet: OwnerAddress } | null> {
  const row = await db
    .selectFrom("read_tokens")
    .select(["id", "wallet", "last_used_at"])
    .where("token_hash", "=", tokenHash)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", new Date(now))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.last_used_at === null || now - row.last_used_at.getTime() >= LAST_USE_MS) {
    await db
      .updateTable("read_tokens")
      .set({ last_used_at: new Date(now) })
      .where("id", "=", row.id)
      .execute();
  }
  return { id: row.id, wallet: parseOwner(row.wallet) };
}

/** Deletes tokens that ended before a time; returns how many. */
export async function deleteOldReadTokens(db: Db, before: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from read_tokens where id in (
      select id from read_tokens
      where least(expires_at, coalesce(revoked_at, expires_at)) < ${new Date(before)} limit ${limit})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
