import { sql } from "kysely";
import { type ChatId, type OwnerAddress, parseChatId, parseOwner } from "../../../domain/ids.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

export interface ChatRow {
  readonly id: ChatId;
  readonly owner: OwnerAddress;
  readonly title: string;
  readonly updatedAt: Date;
}

export async function insertChat(
  db: Db,
  row: { id: ChatId; owner: OwnerAddress; title: string; now: number },
): Promise<void> {
  const now = new Date(row.now);
  await on(db).change`
    insert into chats (id, owner, title, created_at, updated_at)
    values (${row.id}, ${row.owner}, ${row.title}, ${now}, ${now})`;
}

/** Returns a page of the wallet's chats, most recently used first; null when there is no chat to go on from. */
export async function listChatsOf(
  db: Db,
  owner: OwnerAddress,
  { before, limit }: { readonly before: ChatId | undefined; readonly limit: number },
): Promise<ChatRow[] | null> {
  const isKnown =
    before === undefined ||
    (await on(db).has`select from chats where id = ${before} and owner = ${owner}`);
  if (!isKnown) return null;
  const older = sql`and (updated_at, id) < (select updated_at, id from chats where id = ${before})`;
  const rows = await on(db).rows<Unparsed<ChatRow>>`
    select id, owner, title, updated_at as "updatedAt" from chats
    where owner = ${owner} ${before === undefined ? sql`` : older}
    order by updated_at desc, id desc limit ${limit}`;
  return rows.map((row) => ({ ...row, id: parseChatId(row.id), owner: parseOwner(row.owner) }));
}

export async function updateChatTitle(
  db: Db,
  id: ChatId,
  title: string,
  now: number,
): Promise<void> {
  await on(db).change`
    update chats set title = ${title}, updated_at = ${new Date(now)} where id = ${id}`;
}

export async function touchChat(db: Db, id: ChatId, now: number): Promise<void> {
  await on(db).change`update chats set updated_at = ${new Date(now)} where id = ${id}`;
}

/**
 * Locks the chat's row, so that an agent's creation and the chat's deletion exclude each other; returns false when the
 * chat is missing or belongs to another wallet.
 */
export async function lockChat(db: Db, id: ChatId, owner: OwnerAddress): Promise<boolean> {
  return on(db).has`select from chats where id = ${id} and owner = ${owner} for update`;
}

/** Deletes the chat with its messages. */
export async function deleteChatRow(db: Db, id: ChatId): Promise<void> {
  await deleteRows(db, "chats", [id]);
}

/**
 * Locks the wallet until the transaction ends, so that quota checks and insertions of one wallet run one after another.
 */
export async function lockWallet(tx: Db, wallet: OwnerAddress): Promise<void> {
  await on(tx).lock(wallet);
}

export async function countOwned(
  tx: Db,
  table: "chats" | "agents",
  wallet: OwnerAddress,
): Promise<number> {
  const { count } = await on(tx).only<{ count: string }>`
    select count(*) as count from ${sql.table(table)} where owner = ${wallet}`;
  return Number(count);
}

/** Returns the total size in bytes of the messages in the wallet's chats. */
export async function countMessageBytes(tx: Db, wallet: OwnerAddress): Promise<number> {
  const { bytes } = await on(tx).only<{ bytes: string | null }>`
    select sum(octet_length(content)) as bytes from messages join chats on chats.id = messages.chat_id
    where chats.owner = ${wallet}`;
  return Number(bytes ?? 0);
}
