import { AppError } from "../../contract/errors.ts";
import type { AgentDeps } from "../agents/agent-deps.ts";
import { deleteChat } from "../agents/delete-agent.ts";
import { presentAgents } from "../agents/present-agents.ts";
import { refuseTooManyBytes, refuseTooManyChats } from "../agents/quotas.ts";
import { newId } from "../new-id.ts";
import { listAgentsOf } from "../store/agents/agents.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { insertChat, listChatsOf, touchChat, updateChatTitle } from "../store/chats/chats.ts";
import {
  deleteMessageRow,
  insertMessageOnce,
  listMessagesOf,
  type MessageRow,
  searchMessagesOf,
} from "../store/chats/messages.ts";
import { lockWallet } from "../store/chats/quotas.ts";
import type { Handlers } from "../http/handler.ts";

type ChatRoute =
  | "addChat"
  | "listChats"
  | "deleteChat"
  | "renameChat"
  | "addMessage"
  | "listMessages"
  | "deleteMessage"
  | "searchMessages";

export function chatHandlers(deps: AgentDeps): Pick<Handlers, ChatRoute> {
  const { db, clock, publisher } = deps;
  return {
    async addChat({ body, session }) {
      const id = newId(deps.random);
      const now = clock.now();
      await db.transaction().execute(async (tx) => {
        await lockWallet(tx, session.wallet);
        await insertChat(tx, { id, owner: session.wallet, title: titleOf(body.title), now });
        await refuseTooManyChats(tx, session.wallet);
        await insertAudit(tx, {
          at: now,
          wallet: session.wallet,
          action: "chat_created",
          object: id,
        });
      });
      publisher.publish(session.wallet, { topic: "chats" });
      return { _id: id };
    },

    async listChats({ session }) {
      const [chats, agents] = await Promise.all([
        listChatsOf(db, session.wallet),
        listAgentsOf(db, session.wallet).then((owned) => presentAgents(deps, owned)),
      ]);
      const agentOfChat = new Map(agents.map((agent) => [agent.chatId, agent]));
      return chats.map((chat) => {
        const agent = agentOfChat.get(chat.id);
        return {
          _id: chat.id,
          title: chat.title,
          walletAddress: chat.owner,
          updatedAt: chat.updatedAt.toISOString(),
          ...(agent === undefined ? {} : { agent }),
        };
      });
    },

    async deleteChat({ params, session }) {
      await deleteChat(deps, params.chatId, session.wallet);
      return null;
    },

    async renameChat({ params, body, session }) {
      const now = clock.now();
      const title = titleOf(body.title);
      await db.transaction().execute(async (tx) => {
        await updateChatTitle(tx, params.chatId, title, now);
        await insertAudit(tx, {
          at: now,
          wallet: session.wallet,
          action: "chat_renamed",
          object: params.chatId,
        });
      });
      publisher.publish(session.wallet, { topic: "chats" });
      return null;
    },

    async addMessage({ params, body, session }) {
      const { _id: id, type, content } = body;
      const sentAt = timeOf(body.timestamp);
      const now = clock.now();
      const { stored, isNew } = await db.transaction().execute(async (tx) => {
        await lockWallet(tx, session.wallet);
        const outcome = await insertMessageOnce(tx, params.chatId, { id, type, content, sentAt });
        if (outcome.isNew) {
          await refuseTooManyBytes(tx, session.wallet);
          await touchChat(tx, params.chatId, now);
          await insertAudit(tx, {
            at: now,
            wallet: session.wallet,
            action: "message_added",
            object: params.chatId,
            detail: { message: id },
          });
        }
        return outcome;
      });
      if (stored.type !== type || stored.content !== content) {
        throw new AppError("message_conflict");
      }
      if (isNew) publisher.publish(session.wallet, { topic: "messages", id: params.chatId });
      return presentMessage(stored);
    },

    async listMessages({ params }) {
      const messages = await listMessagesOf(db, params.chatId);
      return messages.map(presentMessage);
    },

    async deleteMessage({ params, session }) {
      const { chatId, messageId } = params;
      await db.transaction().execute(async (tx) => {
        if (!(await deleteMessageRow(tx, chatId, messageId))) throw new AppError("not_found");
        await insertAudit(tx, {
          at: clock.now(),
          wallet: session.wallet,
          action: "message_deleted",
          object: chatId,
          detail: { message: messageId },
        });
      });
      publisher.publish(session.wallet, { topic: "messages", id: chatId });
      return null;
    },

    async searchMessages({ query, session }) {
      return searchMessagesOf(db, session.wallet, query.text);
    },
  };
}

function titleOf(text: string): string {
  const title = text.trim();
  if (title !== "") return title;
  throw new AppError("validation_failed", { fields: { title: "Must not be blank." } });
}

/** The schema lets years through that a timestamp column cannot hold. */
function timeOf(text: string): Date {
  const time = new Date(text);
  const year = time.getUTCFullYear();
  if (year >= 2000 && year < 2200) return time;
  throw new AppError("validation_failed", { fields: { timestamp: "Must be a time of today." } });
}

function presentMessage(message: MessageRow) {
  return {
    _id: message.id,
    type: message.type,
    content: message.content,
    timestamp: message.sentAt.toISOString(),
  };
}
