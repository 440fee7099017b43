import { parseChatId } from "../../domain/ids.ts";
import { CHATS_PAGE } from "../../contract/chats.ts";
import { AppError, found } from "../../contract/errors.ts";
import type { AgentDeps } from "../agents/agent-changes.ts";
import { deleteChat } from "../agents/delete-agent.ts";
import { showAgents } from "../agents/show-agents.ts";
import { refuseTooManyChats } from "../agents/create-agent.ts";
import { newId } from "../crypto/new-id.ts";
import { listAgentsOf } from "../store/agents/agents.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { insertChat, listChatsOf, updateChatTitle, lockWallet } from "../store/chats/chats.ts";
import type { Handlers } from "../http/handler.ts";

export function chatHandlers(deps: AgentDeps) {
  const { db, clock, publisher } = deps;
  return {
    async addChat({ body, session }) {
      const id = parseChatId(newId(deps.random));
      const now = clock.now();
      await db.transaction().execute(async (tx) => {
        await lockWallet(tx, session.wallet);
        await insertChat(tx, { id, owner: session.wallet, title: titleOf(body.title), now });
        await refuseTooManyChats(tx, session.wallet);
        await insertAudit(tx, now, session, "chat_created", id);
      });
      publisher.publish(session.wallet, { topic: "chats" });
      return { id };
    },

    async listChats({ query: { before }, session }) {
      const chats = found(await listChatsOf(db, session.wallet, { before, limit: CHATS_PAGE }));
      const ids = new Set(chats.map(({ id }) => id));
      const owned = await listAgentsOf(db, session.wallet);
      const agents = await showAgents(
        deps,
        owned.filter(({ chatId }) => ids.has(chatId)),
      );
      const agentOfChat = new Map<string, (typeof agents)[number]>(
        agents.map((agent) => [agent.chatId, agent]),
      );
      return chats.map((chat) => {
        const agent = agentOfChat.get(chat.id);
        return {
          id: chat.id,
          title: chat.title,
          owner: chat.owner,
          updatedAt: chat.updatedAt.toISOString(),
          ...(agent === undefined ? {} : { agent }),
        };
      });
    },

    deleteChat: ({ params, session }) => deleteChat(deps, params.chatId, session),

    async renameChat({ params, body, session }) {
      const now = clock.now();
      const title = titleOf(body.title);
      await db.transaction().execute(async (tx) => {
        await updateChatTitle(tx, params.chatId, title, now);
        await insertAudit(tx, now, session, "chat_renamed", params.chatId);
      });
      publisher.publish(session.wallet, { topic: "chats" });
    },
  } satisfies Partial<Handlers>;
}

function titleOf(text: string): string {
  const title = text.trim();
  if (title !== "") return title;
  throw new AppError("validation_failed", { fields: { title: "Must not be blank." } });
}
