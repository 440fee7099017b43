import type { Db } from "./db.ts";

export interface MessageRow {
  readonly id: string;
  readonly type: "user" | "ai";
  readonly content: string;
  readonly sentAt: Date;
}

/** Most messages one chat answers with, the newest. */
const MAX_MESSAGES = 5_000;

/** Stores the message unless its id is taken; answers what is stored under that id. */
export async function insertMessageOnce(
  db: Db,
  chatId: string,
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

/** The chat's newest messages in the order they were stored. */
export async function listMessagesOf(db: Db, chatId: string): Promise<MessageRow[]> {
  const newest = await db
    .selectFrom("messages")
    .select(["id", "type", "content", "sent_at as sentAt"])
    .where("chat_id", "=", chatId)
    .orderBy("seq", "desc")
    .limit(MAX_MESSAGES)
    .execute();
  return newest.reverse();
}
