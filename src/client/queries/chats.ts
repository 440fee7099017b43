import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { renameAgent } from "../../contract/agents.ts";
import { addChat, CHATS_PAGE, deleteChat, listChats, renameChat } from "../../contract/chats.ts";
import type { ChatId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { type Agent, toAgent } from "./agent.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Chat with its agent, if any. */
export interface Chat {
  readonly id: ChatId;
  readonly title: string;
  /** Time of the last message. */
  readonly updatedAt: string;
  readonly agent?: Agent | undefined;
}

const toChat = ({ _id, title, updatedAt, agent }: ResponseOf<typeof listChats>[number]): Chat => ({
  id: _id,
  title,
  updatedAt,
  agent: agent && toAgent(agent),
});

/** Title of a new chat. */
const NEW_CHAT_TITLE = "My New Chat";

/** Poll interval in milliseconds; no notice reports the operator's restrictions. Shorter while one applies. */
const CHATS_POLL_MS = 20_000;
const LIMITED_POLL_MS = 5_000;

/** Reads all pages; the newest once more after several, because a chat used meanwhile has moved there. */
async function readChats(walletAddress: SignedInWallet): Promise<Chat[]> {
  const read = (before?: ChatId) =>
    call(listChats, { params: { walletAddress }, query: before === undefined ? {} : { before } });
  const first = await read();
  const pages = [first];
  for (let page = first; page.length >= CHATS_PAGE;) {
    page = await read(page.at(-1)?._id);
    pages.push(page);
  }
  const newest = pages.length > 1 ? await read() : [];
  const seen = new Set<ChatId>();
  return [...newest, ...pages.flat()]
    .filter(({ _id }) => !seen.has(_id) && seen.add(_id))
    .map(toChat);
}

export const chatsQuery = (address: SignedInWallet) =>
  queryOptions({
    queryKey: keysOf(address).chats,
    queryFn: () => readChats(address),
    enabled: address !== "",
    staleTime: 30_000,
    refetchInterval: ({ state }) =>
      state.data?.some(({ agent }) => agent?.trading ?? agent?.nearLimits)
        ? LIMITED_POLL_MS
        : CHATS_POLL_MS,
  });

export function useAddChat(address: SignedInWallet) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await call(addChat, { body: { title: NEW_CHAT_TITLE, walletAddress: address } }))._id,
    onSettled: () => client.invalidateQueries({ queryKey: keysOf(address).chats }),
  });
}

/** Renames chat and agent optimistically; a refusal restores the old names. */
export function useRenameChat(address: SignedInWallet) {
  const client = useQueryClient();
  const key = keysOf(address).chats;
  return useMutation({
    mutationFn: async ({ chatId, title }: { chatId: ChatId; title: string }) => {
      await call(renameChat, { params: { chatId }, body: { title } });
      const renamed = client.getQueryData<Chat[]>(key)?.find((chat) => chat.id === chatId);
      if (!renamed?.agent) return;
      await call(renameAgent, { params: { chatId }, body: { name: title } });
    },
    onMutate: async ({ chatId, title }) => {
      await client.cancelQueries({ queryKey: key });
      const before = client.getQueryData<Chat[]>(key);
      client.setQueryData<Chat[]>(key, (chats) =>
        chats?.map((chat) =>
          chat.id === chatId
            ? { ...chat, title, ...(chat.agent && { agent: { ...chat.agent, name: title } }) }
            : chat,
        ),
      );
      return { before };
    },
    onError: (_error, _rename, context) => client.setQueryData(key, context?.before),
    onSettled: (_data, _error, { chatId }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: key }),
        client.invalidateQueries({ queryKey: keysOf(address).agentOfChat(chatId) }),
      ]),
  });
}

export function useDeleteChat(address: SignedInWallet) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (chatId: ChatId) => call(deleteChat, { params: { chatId } }),
    onSettled: () => client.invalidateQueries({ queryKey: keysOf(address).chats }),
  });
}
