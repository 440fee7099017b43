import { sql } from "kysely";
import type { AssistantScope } from "../../../contract/read-tokens.ts";
import { type OwnerAddress, parseOwner } from "../../../domain/ids.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";
import { isMakerThere } from "./sessions.ts";

/** A program that registered itself. */
export interface ClientRow {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** Returns how many programs are registered. */
export async function countClients(db: Db): Promise<number> {
  const row = await on(db).row<{ count: number }>`
    select count(*)::integer as count from oauth_clients`;
  return row?.count ?? 0;
}

/** Deletes the oldest registered programs that no owner has connected; returns how many. */
export async function deleteUnusedClients(db: Db, limit: number): Promise<number> {
  return deleteRows(
    db,
    "oauth_clients",
    sql`select id from oauth_clients
      where not exists (select from read_tokens where client_id = oauth_clients.id and revoked_at is null)
      order by created_at limit ${limit}`,
  );
}

export async function insertClient(db: Db, client: ClientRow, now: number): Promise<void> {
  await on(db).change`
    insert into oauth_clients (id, name, redirect_uris, created_at)
    values (${client.id}, ${client.name}, ${[...client.redirectUris]}, ${new Date(now)})`;
}

export const findClient = (db: Db, id: string): Promise<ClientRow | null> =>
  on(db).row<ClientRow>`
    select id, name, redirect_uris as "redirectUris" from oauth_clients where id = ${id}`;

/** What an assistant asked for, and the code that it was answered with. */
export interface RequestRow {
  readonly id: string;
  readonly wallet: OwnerAddress;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly AssistantScope[];
  readonly state: string | null;
  readonly expiresAt: Date;
}

/** A request whose code was sent back. */
export interface CodeRow extends RequestRow {
  /** Connection that the code was exchanged for; null while it was not. */
  readonly tokenId: string | null;
}

const parsed = <Row extends { readonly wallet: string }>(row: Row | null) =>
  row === null ? null : { ...row, wallet: parseOwner(row.wallet) };

/** Stores a request and deletes those of all wallets that ended before. */
export async function insertRequest(
  db: Db,
  row: RequestRow & { readonly madeBy: string },
  now: number,
): Promise<void> {
  const ended = sql`select id from connection_requests where expires_at < ${new Date(now)}`;
  await deleteRows(db, "connection_requests", ended);
  await on(db).change`
    insert into connection_requests
      (id, wallet, client_id, client_name, redirect_uri, challenge, scopes, state, expires_at, made_by)
    values (${row.id}, ${row.wallet}, ${row.clientId}, ${row.clientName}, ${row.redirectUri}, ${row.challenge},
      ${[...row.scopes]}, ${row.state}, ${row.expiresAt}, ${row.madeBy})`;
}

/** Returns a wallet's request that was not answered yet; one ends with the session that made it. */
export async function findRequest(
  db: Db,
  wallet: OwnerAddress,
  id: string,
  now: number,
): Promise<RequestRow | null> {
  return parsed(
    await on(db).row<Unparsed<RequestRow>>`
      select id, wallet, client_id as "clientId", client_name as "clientName", redirect_uri as "redirectUri",
        challenge, scopes, state, expires_at as "expiresAt"
      from connection_requests
      where id = ${id} and wallet = ${wallet} and code_hash is null and expires_at > ${new Date(now)}
        and ${isMakerThere}`,
  );
}

/** Answers a request with a code of the session that approved it; false where it was answered before. */
export async function setCode(
  db: Db,
  id: string,
  code: {
    readonly hash: string;
    readonly madeBy: string;
    readonly scopes: readonly AssistantScope[];
    readonly expiresAt: number;
  },
): Promise<boolean> {
  const set = await on(db).change`
    update connection_requests
    set code_hash = ${code.hash}, scopes = ${[...code.scopes]}, expires_at = ${new Date(code.expiresAt)},
      made_by = ${code.madeBy}
    where id = ${id} and code_hash is null`;
  return set === 1;
}

/**
 * Returns the request of a code and locks it, so that a code is exchanged once. A code that was not ends with its
 * session.
 */
export async function lockCode(db: Db, codeHash: string): Promise<CodeRow | null> {
  return parsed(
    await on(db).row<Unparsed<CodeRow>>`
      select id, wallet, client_id as "clientId", client_name as "clientName", redirect_uri as "redirectUri",
        challenge, scopes, state, expires_at as "expiresAt", token_id as "tokenId"
      from connection_requests where code_hash = ${codeHash} and (token_id is not null or ${isMakerThere})
      for update`,
  );
}

/** Notes which connection a code was exchanged for; it is kept as long as somebody could try the code again. */
export async function useCode(
  db: Db,
  id: string,
  tokenId: string,
  keptUntil: number,
): Promise<void> {
  await on(db).change`
    update connection_requests set token_id = ${tokenId}, expires_at = ${new Date(keptUntil)} where id = ${id}`;
}

/** A connection as its tokens are renewed. */
export interface ConnectionRow {
  readonly id: string;
  readonly wallet: OwnerAddress;
  readonly clientId: string;
  readonly scopes: readonly AssistantScope[];
  readonly expiresAt: Date;
  readonly isRevoked: boolean;
  /** When the refresh token was replaced; null for the present one. */
  readonly replacedAt: Date | null;
}

/** Returns the connection of a refresh token and locks it, so that renewals run one after another. */
export async function lockConnection(db: Db, refreshHash: string): Promise<ConnectionRow | null> {
  const found = await on(db).row<{ tokenId: string }>`
    select token_id as "tokenId" from connection_refresh_tokens where token_hash = ${refreshHash}`;
  if (found === null) return null;
  await on(db).row`select from read_tokens where id = ${found.tokenId} for update`;
  // A statement of its own, which sees what the renewal before it committed
  const row = await on(db).row<Unparsed<ConnectionRow>>`
    select read_tokens.id, wallet, client_id as "clientId", scopes, expires_at as "expiresAt",
      revoked_at is not null as "isRevoked", replaced_at as "replacedAt"
    from connection_refresh_tokens join read_tokens on read_tokens.id = token_id
    where connection_refresh_tokens.token_hash = ${refreshHash}`;
  return parsed(row);
}

/** Returns the connection of an access token. */
export async function findConnection(
  db: Db,
  tokenHash: string,
): Promise<Pick<ConnectionRow, "id" | "wallet"> | null> {
  const row = await on(db).row<{ id: string; wallet: string }>`
    select id, wallet from read_tokens where token_hash = ${tokenHash} and client_id is not null`;
  return row === null ? null : { ...row, wallet: parseOwner(row.wallet) };
}

/** Gives a connection new tokens; the former ones open nothing any more. */
export async function renewConnection(
  db: Db,
  id: string,
  tokens: { readonly access: string; readonly accessUntil: number; readonly refresh: string },
  now: number,
): Promise<void> {
  await on(db).change`
    update read_tokens set token_hash = ${tokens.access}, access_expires_at = ${new Date(tokens.accessUntil)}
    where id = ${id}`;
  await on(db).change`
    update connection_refresh_tokens set replaced_at = ${new Date(now)}
    where token_id = ${id} and replaced_at is null`;
  await on(db).change`
    insert into connection_refresh_tokens (token_hash, token_id) values (${tokens.refresh}, ${id})`;
}
