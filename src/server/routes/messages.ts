import { type Message, MESSAGE_PAGE, MESSAGE_PAGE_CHARACTERS } from "../../contract/chats.ts";
import { AppError, found } from "../../contract/errors.ts";
import type { AgentDeps } from "../agents/agent-changes.ts";
import { refuseTooManyBytes } from "../agents/create-agent.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { touchChat, lockWallet } from "../store/chats/chats.ts";
import {
  type MessageRow,
  deleteMessageRow,
  findMessageSeq,
  insertMessageOnce,
  listMessagesOf,
  searchMessagesOf,
} from "../store/chats/messages.ts";
import type { Handlers } from "../http/handler.ts";

export function messageHandlers(deps: Pick<AgentDeps, "db" | "clock" | "publisher">) {
  const { db, clock, publisher } = deps;
  return {
    async addMessage({ params, body, session }) {
      const { id, type, content } = body;
      const sentAt = timeOf(body.at);
      const now = clock.now();
      const { stored, isNew } = await db.transaction().execute(async (tx) => {
        await lockWallet(tx, session.wallet);
        const outcome = await insertMessageOnce(tx, params.chatId, { id, type, content, sentAt });
        if (outcome.isNew) {
          await refuseTooManyBytes(tx, session.wallet);
          await touchChat(tx, params.chatId, now);
          await insertAudit(tx, now, session, "message_added", params.chatId, {
            message: id,
          });
        }
        return outcome;
      });
      if (stored.type !== type || stored.content !== content) {
        throw new AppError("message_conflict");
      }
      if (isNew) publisher.publish(session.wallet, { topic: "messages", id: params.chatId });
      return showMessage(stored);
    },

    async listMessages({ params: { chatId }, query }) {
      const last = query.before;
      // An empty page would say that there is nothing older
      const before = last === undefined ? null : found(await findMessageSeq(db, chatId, last));
      const messages = await listMessagesOf(db, chatId, {
        before,
        limit: MESSAGE_PAGE,
        characters: MESSAGE_PAGE_CHARACTERS,
      });
      return messages.map(showMessage);
    },

    async deleteMessage({ params, session }) {
      const { chatId, messageId } = params;
      await db.transaction().execute(async (tx) => {
        if (!(await deleteMessageRow(tx, chatId, messageId))) throw new AppError("not_found");
        await insertAudit(tx, clock.now(), session, "message_deleted", chatId, {
          message: messageId,
        });
      });
      publisher.publish(session.wallet, { topic: "messages", id: chatId });
    },

    async searchMessages({ query, session }) {
      return searchMessagesOf(db, session.wallet, query.text);
    },
  } satisfies Partial<Handlers>;
}

/** Returns the time; throws for years that the schema allows but a timestamp column cannot hold. */
function timeOf(text: string): Date {
  const time = new Date(text);
  const year = time.getUTCFullYear();
  if (year >= 2000 && year < 2200) return time;
  throw new AppError("validation_failed", { fields: { timestamp: "Must be a time of today." } });
}

const showMessage = ({ id, type, content, sentAt }: MessageRow): Message => ({
  id,
  type,
  content,
  at: sentAt.toISOString(),
});
