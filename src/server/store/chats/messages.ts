import { type ChatId, type OwnerAddress, parseChatId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

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
  const { id, type, content, sentAt } = message;
  const inserted = await on(db).change`
    insert into messages (chat_id, id, type, content, sent_at)
    values (${chatId}, ${id}, ${type}, ${content}, ${sentAt}) on conflict (chat_id, id) do nothing`;
  if (inserted > 0) return { stored: message, isNew: true };
  const stored = await on(db).only<MessageRow>`
    select id, type, content, sent_at as "sentAt" from messages where chat_id = ${chatId} and id = ${id}`;
  return { stored, isNew: false };
}

/** Deletes a message; returns whether it existed. */
export async function deleteMessageRow(db: Db, chatId: ChatId, id: string): Promise<boolean> {
  return (await deleteRows(db, "messages", [chatId, id])) > 0;
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
  const found = await on(db).rows<{ chatId: string; excerpt: string }>`
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
    order by seq desc limit ${MAX_FOUND}`;
  return found.map(({ chatId, excerpt }) => ({ chatId: parseChatId(chatId), excerpt }));
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
  return on(db).rows<MessageRow>`
    select id, type, content, "sentAt" from (
      select seq, id, type, content, sent_at as "sentAt",
        coalesce(sum(length(content)) over (order by seq desc
          rows between unbounded preceding and 1 preceding), 0) as newer
      from messages
      where chat_id = ${chatId} and (${before}::bigint is null or seq < ${before}::bigint)
      order by seq desc limit ${limit}
    ) as newest where newer < ${characters} order by seq`;
}

/** Returns the number of a message of the chat; null when there is none. */
export async function findMessageSeq(db: Db, chatId: ChatId, id: string): Promise<string | null> {
  const row = await on(db).row<{ seq: string }>`
    select seq from messages where chat_id = ${chatId} and id = ${id}`;
  return row?.seq ?? null;
}
