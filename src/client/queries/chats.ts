import { queryOptions, skipToken, useMutation, useQueryClient } from "@tanstack/react-query";
import { renameAgent } from "../../contract/agents.ts";
import { addChat, type Chat, CHATS_PAGE, listChats, renameChat } from "../../contract/chats.ts";
import { type ChatId, type OwnerAddress, parseOwner } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { freshness, keyOf } from "./read.ts";
import { markChanged } from "./stale.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Title of a new chat. */
const NEW_CHAT_TITLE = "My New Chat";

/** Poll interval in milliseconds; no notice reports the operator's restrictions. Shorter while one applies. */
const CHATS_POLL_MS = 20_000;
const LIMITED_POLL_MS = 5_000;

const chatsOf = (walletAddress: SignedInWallet) => ({ params: { walletAddress }, query: {} });

/** Reads all pages; the newest once more after several, because a chat used meanwhile has moved there. */
async function readChats(walletAddress: OwnerAddress): Promise<Chat[]> {
  const read = (before?: ChatId) =>
    call(listChats, { params: { walletAddress }, query: { before } });
  const first = await read();
  const pages = [first];
  for (let page = first; page.length >= CHATS_PAGE;) {
    page = await read(page.at(-1)?.id);
    pages.push(page);
  }
  const newest = pages.length > 1 ? await read() : [];
  const seen = new Set<ChatId>();
  return [...newest, ...pages.flat()].filter(({ id }) => !seen.has(id) && seen.add(id));
}

export const chatsQuery = (address: SignedInWallet) =>
  queryOptions({
    ...freshness(address, listChats, chatsOf(address)),
    queryKey: keyOf(address, listChats, chatsOf(address)),
    queryFn: address ? () => readChats(address) : skipToken,
    refetchInterval: ({ state }) =>
      state.data?.some(({ agent }) => agent?.trading ?? agent?.nearLimits)
        ? LIMITED_POLL_MS
        : CHATS_POLL_MS,
  });

export function useAddChat(address: SignedInWallet) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const walletAddress = parseOwner(address);
      return (await call(addChat, { body: { title: NEW_CHAT_TITLE, walletAddress } })).id;
    },
    onSettled: () => markChanged(client, address, addChat),
  });
}

/** Renames chat and agent optimistically; a refusal restores the old names. */
export function useRenameChat(address: SignedInWallet) {
  const client = useQueryClient();
  const key = keyOf(address, listChats, chatsOf(address));
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
    onSettled: () => markChanged(client, address, renameChat),
  });
}
