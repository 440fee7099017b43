import type { AssistantScope } from "../../../contract/read-tokens.ts";
import { type OwnerAddress, parseOwner } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { deletesBefore, on } from "../postgres/on.ts";

/** A listed token without its secret, which is not stored. */
export interface ReadTokenRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: AssistantScope[];
  /** Where the owner of a connected assistant was sent back to; null for a token that the owner made. */
  readonly connectedFrom: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  /** When it last used up its owner's calls. */
  readonly limitedAt: Date | null;
}

/** Returns a wallet's valid tokens, newest first. */
export async function listLiveTokens(
  db: Db,
  wallet: OwnerAddress,
  now: number,
): Promise<readonly ReadTokenRow[]> {
  return on(db).rows<ReadTokenRow>`
    select id, name, scopes, connected_from as "connectedFrom", created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
      limited_at as "limitedAt"
    from read_tokens
    where wallet = ${wallet} and revoked_at is null and expires_at > ${new Date(now)}
    order by created_at desc`;
}

export async function insertReadToken(
  db: Db,
  token: {
    readonly id: string;
    readonly wallet: OwnerAddress;
    readonly name: string;
    readonly scopes: readonly AssistantScope[];
    readonly tokenHash: string;
    readonly createdAt: number;
    readonly expiresAt: number;
    /** Program that the token is for, and where its owner was sent back to; absent for a token that the owner made. */
    readonly client?: { readonly id: string; readonly from: string; readonly accessUntil: number };
  },
): Promise<void> {
  const { client } = token;
  const accessUntil = client === undefined ? null : new Date(client.accessUntil);
  await on(db).change`
    insert into read_tokens
      (id, wallet, name, scopes, token_hash, created_at, expires_at, client_id, connected_from, access_expires_at)
    values (${token.id}, ${token.wallet}, ${token.name}, ${[...token.scopes]}, ${token.tokenHash},
      ${new Date(token.createdAt)}, ${new Date(token.expiresAt)}, ${client?.id ?? null}, ${client?.from ?? null},
      ${accessUntil})`;
}

/** Revokes a wallet's token; returns false when it has no valid token with that id. */
export async function revokeToken(
  db: Db,
  wallet: OwnerAddress,
  id: string,
  now: number,
): Promise<boolean> {
  const revoked = await on(db).change`
    update read_tokens set revoked_at = ${new Date(now)}
    where id = ${id} and wallet = ${wallet} and revoked_at is null`;
  return revoked === 1;
}

/** Revokes every token of every wallet and returns how many. */
export async function revokeAllTokens(db: Db, now: number): Promise<number> {
  return on(db).change`
    update read_tokens set revoked_at = ${new Date(now)} where revoked_at is null`;
}

/** Whom a valid token reads for. */
export interface Reader {
  readonly id: string;
  readonly name: string;
  readonly wallet: OwnerAddress;
  readonly scopes: readonly AssistantScope[];
}

/** Precision of the stored last use in milliseconds, so that not every call writes the row. */
const LAST_USE_MS = 60_000;

/** Returns the valid token with a digest and records its use; null when there is none. */
export async function useReadToken(db: Db, tokenHash: string, now: number): Promise<Reader | null> {
  const row = await on(db).row<{
    id: string;
    name: string;
    wallet: string;
    scopes: AssistantScope[];
    lastUsedAt: Date | null;
  }>`
    select id, name, wallet, scopes, last_used_at as "lastUsedAt" from read_tokens
    where token_hash = ${tokenHash} and revoked_at is null
      and least(expires_at, access_expires_at) > ${new Date(now)}`;
  if (row === null) return null;
  if (row.lastUsedAt === null || now - row.lastUsedAt.getTime() >= LAST_USE_MS) {
    await on(db)
      .change`update read_tokens set last_used_at = ${new Date(now)} where id = ${row.id}`;
  }
  return { id: row.id, name: row.name, wallet: parseOwner(row.wallet), scopes: row.scopes };
}

/** Least time between two notices of one token that used up its owner's calls, in milliseconds. */
const LIMITED_NOTICE_MS = 3_600_000;

/** Records that a token used up its owner's calls; a trigger tells the owner. */
export async function noteLimited(db: Db, id: string, now: number): Promise<void> {
  await on(db).change`
    update read_tokens set limited_at = ${new Date(now)}
    where id = ${id} and (limited_at is null or limited_at <= ${new Date(now - LIMITED_NOTICE_MS)})`;
}

/** Deletes tokens that ended before a time. */
export const deleteOldReadTokens = deletesBefore(
  "read_tokens",
  "id",
  "least(expires_at, coalesce(revoked_at, expires_at))",
);
