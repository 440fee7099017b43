import { sql } from "kysely";
import { type ChatId, type OwnerAddress, parseChatId, parseOwner } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

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
  await db
    .insertInto("chats")
    .values({
      id: row.id,
      owner: row.owner,
      title: row.title,
      created_at: new Date(row.now),
      updated_at: new Date(row.now),
    })
    .execute();
}

/** Returns a page of the wallet's chats, most recently used first; null when there is no chat to go on from. */
export async function listChatsOf(
  db: Db,
  owner: OwnerAddress,
  { before, limit }: { readonly before: ChatId | undefined; readonly limit: number },
): Promise<ChatRow[] | null> {
  const last =
    before === undefined
      ? undefined
      : await db
          .selectFrom("chats")
          .select("id")
          .where("id", "=", before)
          .where("owner", "=", owner)
          .executeTakeFirst();
  if (before !== undefined && last === undefined) return null;
  const rows = await db
    .selectFrom("chats")
    .select(["id", "owner", "title", "updated_at as updatedAt"])
    .where("owner", "=", owner)
    .$if(before !== undefined, (query) =>
      query.where(
        sql<boolean>`(updated_at, id) < (select updated_at, id from chats where id = ${before})`,
      ),
    )
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, id: parseChatId(row.id), owner: parseOwner(row.owner) }));
}

export async function updateChatTitle(
  db: Db,
  id: ChatId,
  title: string,
  now: number,
): Promise<void> {
  await db
    .updateTable("chats")
    .set({ title, updated_at: new Date(now) })
    .where("id", "=", id)
    .execute();
}

export async function touchChat(db: Db, id: ChatId, now: number): Promise<void> {
  await db
    .updateTable("chats")
    .set({ updated_at: new Date(now) })
    .where("id", "=", id)
    .execute();
}

/**
 * Locks the chat's row, so that an agent's creation and the chat's deletion exclude each other; returns false when the
 * chat is missing or belongs to another wallet.
 */
export async function lockChat(db: Db, id: ChatId, owner: OwnerAddress): Promise<boolean> {
  const row = await db
    .selectFrom("chats")
    .select("id")
    .where("id", "=", id)
    .where("owner", "=", owner)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the chat with its messages. */
export async function deleteChatRow(db: Db, id: ChatId): Promise<void> {
  await db.deleteFrom("chats").where("id", "=", id).execute();
}
