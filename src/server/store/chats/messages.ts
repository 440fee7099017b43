import { sql } from "kysely";
import { type ChatId, type OwnerAddress, parseChatId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

export interface MessageRow {
  readonly id: string;
  readonly type: "user" | "ai";
  readonly content: string;
  readonly sentAt: Date;
}

/** Inserts the message unless its id is taken; returns the message stored under that id. */
export async function insertMessageOnce(
  db: Db,
  chatId: ChatId,
  message: MessageRow,
): Promise<{ stored: MessageRow; isNew: boolean }> {
  const inserted = await db
    .insertInto("messages")
    .values({
      chat_id: chatId,
      id: message.id,
      type: message.type,
      content: message.content,
      sent_at: message.sentAt,
    })
    .onConflict((conflict) => conflict.columns(["chat_id", "id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted !== undefined) return { stored: message, isNew: true };
  const stored = await db
    .selectFrom("messages")
    .select(["id", "type", "content", "sent_at as sentAt"])
    .where("chat_id", "=", chatId)
    .where("id", "=", message.id)
    .executeTakeFirstOrThrow();
  return { stored, isNew: false };
}

/** Deletes a message; returns whether it existed. */
export async function deleteMessageRow(db: Db, chatId: ChatId, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("messages")
    .where("chat_id", "=", chatId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Maximum number of chats a search returns. */
const MAX_FOUND = 50;
/** Length of an excerpt in characters, and how many of them precede the match. */
const EXCERPT_LENGTH = 120;
const EXCERPT_LEAD = 16;

/**
 * Returns the owner's chats with a message that contains the text, ignoring case, most recently written first, with an
 * excerpt around the match.
 */
export async function searchMessagesOf(
  db: Db,
  owner: OwnerAddress,
  text: string,
): Promise<{ chatId: ChatId; excerpt: string }[]> {
  const found = await sql<{ chatId: string; excerpt: string }>`
    select "chatId", excerpt from (
      select distinct on (chat_id) chat_id as "chatId", seq,
        substr(content, greatest(1, at - ${EXCERPT_LEAD}::int), ${EXCERPT_LENGTH}::int) as excerpt
      from (
        select chat_id, seq, content, strpos(lower(content), lower(${text})) as at
        from messages join chats on chats.id = chat_id and chats.owner = ${owner}
      ) as read
      where at > 0
      order by chat_id, seq desc
    ) as newest
    order by seq desc limit ${MAX_FOUND}`.execute(db);
  return found.rows.map(({ chatId, excerpt }) => ({ chatId: parseChatId(chatId), excerpt }));
}

/** Part of a chat: messages older than the one numbered `before`. */
export interface MessagePage {
  /** Null for the newest. */
  readonly before: string | null;
  readonly limit: number;
  /** Number of characters after which the page ends. */
  readonly characters: number;
}

/** Returns a part of a chat in the order the messages were stored. */
export async function listMessagesOf(
  db: Db,
  chatId: ChatId,
  { before, limit, characters }: MessagePage,
): Promise<readonly MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select id, type, content, "sentAt" from (
      select seq, id, type, content, sent_at as "sentAt",
        coalesce(sum(length(content)) over (order by seq desc
          rows between unbounded preceding and 1 preceding), 0) as newer
      from messages
      where chat_id = ${chatId} and (${before}::bigint is null or seq < ${before}::bigint)
      order by seq desc limit ${limit}
    ) as newest where newer < ${characters} order by seq`.execute(db);
  return rows;
}

/** Returns the number of a message of the chat; null when there is none. */
export async function findMessageSeq(db: Db, chatId: ChatId, id: string): Promise<string | null> {
  const row = await db
    .selectFrom("messages")
    .select("seq")
    .where("chat_id", "=", chatId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.seq ?? null;
}
