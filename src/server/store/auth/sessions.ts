import { type OwnerAddress, parseOwner } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

export async function insertSession(
  db: Db,
  row: { id: string; wallet: OwnerAddress; browser: string; createdAt: number; expiresAt: number },
): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      id: row.id,
      wallet: row.wallet,
      browser: row.browser,
      created_at: new Date(row.createdAt),
      last_used_at: new Date(row.createdAt),
      expires_at: new Date(row.expiresAt),
      revoked_at: null,
      confirmed_at: null,
    })
    .execute();
}

export async function insertRefreshToken(
  db: Db,
  row: { tokenHash: string; sessionId: string; createdAt: number },
): Promise<void> {
  await db
    .insertInto("refresh_tokens")
    .values({
      token_hash: row.tokenHash,
      session_id: row.sessionId,
      created_at: new Date(row.createdAt),
      replaced_at: null,
      replaced_by_hash: null,
    })
    .execute();
}

/** Returns whether the session belongs to the wallet and is neither revoked nor expired. */
export async function isSessionLive(
  db: Db,
  id: string,
  wallet: OwnerAddress,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", id)
    .where("wallet", "=", wallet)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", new Date(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns which of these sessions are neither revoked nor expired, each with its wallet. */
export async function listLiveSessions(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<readonly { readonly id: string; readonly wallet: OwnerAddress }[]> {
  const rows = await db
    .selectFrom("sessions")
    .select(["id", "wallet"])
    .where("id", "in", ids)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", new Date(now))
    .execute();
  return rows.map(({ id, wallet }) => ({ id, wallet: parseOwner(wallet) }));
}

export interface RefreshRow {
  readonly sessionId: string;
  readonly wallet: OwnerAddress;
  readonly isRevoked: boolean;
  readonly expiresAt: number;
  readonly lastUsedAt: number;
  readonly replacedAt: number | null;
  /** True once the successor was itself replaced. */
  readonly isSuccessorReplaced: boolean;
}

/** Returns a refresh token with its session and locks the session's row, so that rotations run one after another. */
export async function lockRefreshToken(db: Db, tokenHash: string): Promise<RefreshRow | null> {
  const owner = await db
    .selectFrom("refresh_tokens")
    .select("session_id")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  if (owner === undefined) return null;
  const session = await db
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", owner.session_id)
    .forUpdate()
    .executeTakeFirst();
  const token = await db
    .selectFrom("refresh_tokens as token")
    .leftJoin("refresh_tokens as successor", "successor.token_hash", "token.replaced_by_hash")
    .select(["token.replaced_at", "successor.replaced_at as successor_replaced_at"])
    .where("token.token_hash", "=", tokenHash)
    .executeTakeFirst();
  if (session === undefined || token === undefined) return null;
  return {
    sessionId: session.id,
    wallet: parseOwner(session.wallet),
    isRevoked: session.revoked_at !== null,
    expiresAt: session.expires_at.getTime(),
    lastUsedAt: session.last_used_at.getTime(),
    replacedAt: token.replaced_at?.getTime() ?? null,
    isSuccessorReplaced: token.successor_replaced_at !== null,
  };
}

export async function replaceRefreshToken(
  db: Db,
  row: { tokenHash: string; successorHash: string; sessionId: string; now: number },
): Promise<void> {
  await insertRefreshToken(db, {
    tokenHash: row.successorHash,
    sessionId: row.sessionId,
    createdAt: row.now,
  });
  await db
    .updateTable("refresh_tokens")
    .set({ replaced_at: new Date(row.now), replaced_by_hash: row.successorHash })
    .where("token_hash", "=", row.tokenHash)
    .execute();
  await db
    .updateTable("sessions")
    .set({ last_used_at: new Date(row.now) })
    .where("id", "=", row.sessionId)
    .execute();
}

/** Revokes the session; returns true when it was still open. */
export async function revokeSession(db: Db, id: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable("sessions")
    .set({ revoked_at: new Date(now) })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export interface SessionRow {
  readonly id: string;
  readonly browser: string;
  readonly openedAt: Date;
  readonly lastUsedAt: Date;
}

/** Returns the wallet's open sessions used after a time, most recently used first. */
export async function listSessionsOf(
  db: Db,
  wallet: OwnerAddress,
  { now, usedAfter }: { readonly now: number; readonly usedAfter: number },
): Promise<SessionRow[]> {
  return db
    .selectFrom("sessions")
    .select(["id", "browser", "created_at as openedAt", "last_used_at as lastUsedAt"])
    .where("wallet", "=", wallet)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", new Date(now))
    .where("last_used_at", ">", new Date(usedAfter))
    .orderBy("last_used_at", "desc")
    .orderBy("id")
    .execute();
}

/** Revokes the wallet's sessions and returns their ids. */
export async function revokeSessionsOf(
  db: Db,
  wallet: OwnerAddress,
  now: number,
): Promise<string[]> {
  const rows = await db
    .updateTable("sessions")
    .set({ revoked_at: new Date(now) })
    .where("wallet", "=", wallet)
    .where("revoked_at", "is", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Revokes every open session; returns how many. */
export async function revokeAllSessions(db: Db, now: number): Promise<number> {
  const updated = await db
    .updateTable("sessions")
    .set({ revoked_at: new Date(now) })
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(updated.numUpdatedRows);
}

/** Returns when the session's wallet last confirmed a change; null when it never did. */
export async function findConfirmedAt(db: Db, id: string): Promise<number | null> {
  const row = await db
    .selectFrom("sessions")
    .select("confirmed_at")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.confirmed_at?.getTime() ?? null;
}

export async function setConfirmedAt(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ confirmed_at: new Date(now) })
    .where("id", "=", id)
    .execute();
}

/** Returns the session of a refresh token, in any state. */
export async function findSessionByRefreshToken(
  db: Db,
  tokenHash: string,
): Promise<{ id: string; wallet: OwnerAddress } | null> {
  const row = await db
    .selectFrom("refresh_tokens")
    .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
    .select(["sessions.id", "sessions.wallet"])
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, wallet: parseOwner(row.wallet) };
}

/**
 * Deletes at most `limit` sessions that ended before the given time, with their refresh tokens, and returns how many.
 */
export async function deleteExpiredSessions(
  db: Db,
  before: number,
  limit: number,
): Promise<number> {
  const old = db
    .selectFrom("sessions")
    .select("id")
    .where("expires_at", "<", new Date(before))
    .orderBy("expires_at")
    .limit(limit);
  const deleted = await db.deleteFrom("sessions").where("id", "in", old).executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}
