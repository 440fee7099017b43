import { sql } from "kysely";
import { type OwnerAddress, parseOwner } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { deletesBefore, on } from "../postgres/on.ts";

/** Records that a nonce was used; of several concurrent callers exactly one gets true. */
export async function useNonce(db: Db, nonce: string, expiresAt: number): Promise<boolean> {
  const used = await on(db).change`
    insert into used_nonces values (${nonce}, ${new Date(expiresAt)}) on conflict do nothing`;
  return used > 0;
}

export async function insertSession(
  db: Db,
  row: { id: string; wallet: OwnerAddress; browser: string; createdAt: number; expiresAt: number },
): Promise<void> {
  const createdAt = new Date(row.createdAt);
  await on(db).change`
    insert into sessions (id, wallet, browser, created_at, last_used_at, expires_at) values
      (${row.id}, ${row.wallet}, ${row.browser}, ${createdAt}, ${createdAt}, ${new Date(row.expiresAt)})`;
}

export async function insertRefreshToken(
  db: Db,
  row: { tokenHash: string; sessionId: string; createdAt: number },
): Promise<void> {
  await on(db).change`
    insert into refresh_tokens (token_hash, session_id, created_at)
    values (${row.tokenHash}, ${row.sessionId}, ${new Date(row.createdAt)})`;
}

/** Whether the session or token that made a row was not ended since; of one made before this was known, nothing is known. */
export const isMakerThere = sql`(
  exists (select from sessions where sessions.id = made_by and sessions.revoked_at is null)
  or exists (select from read_tokens where read_tokens.id = made_by and read_tokens.revoked_at is null))`;

const isLive = (now: number) => sql`revoked_at is null and expires_at > ${new Date(now)}`;

/** Returns whether the session belongs to the wallet and is neither revoked nor expired. */
export async function isSessionLive(
  db: Db,
  id: string,
  wallet: OwnerAddress,
  now: number,
): Promise<boolean> {
  return on(db)
    .has`select from sessions where id = ${id} and wallet = ${wallet} and ${isLive(now)}`;
}

/** Returns which of these sessions are neither revoked nor expired, each with its wallet. */
export async function listLiveSessions(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<readonly { readonly id: string; readonly wallet: OwnerAddress }[]> {
  const rows = await on(db).rows<{ id: string; wallet: string }>`
    select id, wallet from sessions where id = any(${ids}) and ${isLive(now)}`;
  return rows.map(({ id, wallet }) => ({ id, wallet: parseOwner(wallet) }));
}

/** Returns when a session was opened; null where it is not known. */
export async function findSessionStart(db: Db, id: string): Promise<Date | null> {
  const row = await on(db).row<{
    at: Date;
  }>`select created_at as at from sessions where id = ${id}`;
  return row?.at ?? null;
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
  const session = await on(db).row<{
    id: string;
    wallet: string;
    isRevoked: boolean;
    expiresAt: Date;
    lastUsedAt: Date;
  }>`
    select id, wallet, revoked_at is not null as "isRevoked", expires_at as "expiresAt",
      last_used_at as "lastUsedAt"
    from sessions where id = (select session_id from refresh_tokens where token_hash = ${tokenHash})
    for update`;
  // A statement of its own, which sees what the rotation before it committed
  const token = await on(db).row<{ replacedAt: Date | null; isSuccessorReplaced: boolean }>`
    select token.replaced_at as "replacedAt", successor.replaced_at is not null as "isSuccessorReplaced"
    from refresh_tokens as token
      left join refresh_tokens as successor on successor.token_hash = token.replaced_by_hash
    where token.token_hash = ${tokenHash}`;
  if (session === null || token === null) return null;
  return {
    sessionId: session.id,
    wallet: parseOwner(session.wallet),
    isRevoked: session.isRevoked,
    expiresAt: session.expiresAt.getTime(),
    lastUsedAt: session.lastUsedAt.getTime(),
    replacedAt: token.replacedAt?.getTime() ?? null,
    isSuccessorReplaced: token.isSuccessorReplaced,
  };
}

export async function replaceRefreshToken(
  db: Db,
  row: { tokenHash: string; successorHash: string; sessionId: string; now: number },
): Promise<void> {
  const { tokenHash, successorHash, sessionId } = row;
  const now = new Date(row.now);
  await insertRefreshToken(db, { tokenHash: successorHash, sessionId, createdAt: row.now });
  await on(db).change`
    update refresh_tokens set replaced_at = ${now}, replaced_by_hash = ${successorHash}
    where token_hash = ${tokenHash}`;
  await on(db).change`update sessions set last_used_at = ${now} where id = ${sessionId}`;
}

/** Revokes the session; returns true when it was still open. */
export async function revokeSession(db: Db, id: string, now: number): Promise<boolean> {
  const revoked = await on(db).change`
    update sessions set revoked_at = ${new Date(now)} where id = ${id} and revoked_at is null`;
  return revoked > 0;
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
  return on(db).rows<SessionRow>`
    select id, browser, created_at as "openedAt", last_used_at as "lastUsedAt" from sessions
    where wallet = ${wallet} and ${isLive(now)} and last_used_at > ${new Date(usedAfter)}
    order by last_used_at desc, id`;
}

/** Revokes the wallet's sessions and returns their ids. */
export async function revokeSessionsOf(
  db: Db,
  wallet: OwnerAddress,
  now: number,
): Promise<string[]> {
  const rows = await on(db).rows<{ id: string }>`
    update sessions set revoked_at = ${new Date(now)} where wallet = ${wallet} and revoked_at is null
    returning id`;
  return rows.map(({ id }) => id);
}

/** Revokes every open session; returns how many. */
export async function revokeAllSessions(db: Db, now: number): Promise<number> {
  return on(db).change`update sessions set revoked_at = ${new Date(now)} where revoked_at is null`;
}

/** Returns the session of a refresh token, in any state. */
export async function findSessionByRefreshToken(
  db: Db,
  tokenHash: string,
): Promise<{ id: string; wallet: OwnerAddress } | null> {
  const row = await on(db).row<{ id: string; wallet: string }>`
    select sessions.id, wallet from refresh_tokens join sessions on sessions.id = session_id
    where token_hash = ${tokenHash}`;
  return row === null ? null : { ...row, wallet: parseOwner(row.wallet) };
}

/** Deletes nonces that expired before a time. */
export const deleteExpiredNonces = deletesBefore("used_nonces", "nonce", "expires_at");

/** Deletes sessions that ended before a time, with their refresh tokens. */
export const deleteExpiredSessions = deletesBefore("sessions", "id", "expires_at");
