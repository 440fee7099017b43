import {
  useQuery,
  queryOptions,
  skipToken,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { useStore } from "zustand";
import * as z from "zod/mini";
import { chatId as chatIdSchema } from "../../contract/fields.ts";
import { type ChatId, type OwnerAddress, parseOwner } from "../../domain/ids.ts";
import { chosenNetwork } from "../lib/chosen-network.ts";
import { useOwner, useSessionStatus, type SignedInWallet } from "../lib/session.ts";
import type { WorkspaceData } from "../actions/action.ts";
import { toastError } from "../lib/toast.ts";
import {
  deleteChat,
  addChat,
  type Chat,
  CHATS_PAGE,
  listChats,
  renameChat,
} from "../../contract/chats.ts";
import { useChange, freshness, keyOf, markChanged } from "../queries/read.ts";
import { defaultNetwork, deploymentQuery, explorerLink } from "../queries/deployment.ts";
import { renameAgent } from "../../contract/agents.ts";
import { call } from "../lib/api.ts";

/** Returns the workspace's state and actions: the chat the address names, its agent and the list of chats. */
export function useWorkspace(named: string): WorkspaceData {
  const address = useOwner();
  const [, navigate] = useLocation();
  const routeChatId = z.safeParse(chatIdSchema, named).data ?? "";
  const deployment = useQuery(deploymentQuery).data;
  // The default network depends on it
  useStore(chosenNetwork);
  const read = useQuery(chatsQuery(address));
  const add = useAddChat(address);
  const rename = useRenameChat(address);
  const remove = useChange(deleteChat, { toast: "failures" });
  const making = useRef<Promise<ChatId> | null>(null);
  const chats = address === "" ? undefined : read.data;
  const isGone =
    chats !== undefined && !chats.some(({ id }) => id === routeChatId) && !add.isPending;
  // A newer list may have the chat, but one that was missing stays unknown while the list is read again
  const [missing, setMissing] = useState("");
  if (isGone && !read.isFetching && missing !== named) setMissing(named);
  const isChatUnknown = isGone && named !== "" && (!read.isFetching || missing === named);
  const chatId = address === "" || isChatUnknown ? "" : routeChatId;
  const chat = chats?.find(({ id }) => id === chatId);
  const agent = chat?.agent ?? null;
  const hasChatsFailed = read.isError && read.data === undefined;
  const isRestoring = useSessionStatus() === "restoring";
  const isReading = address !== "" && chats === undefined && !hasChatsFailed;
  // The query names the shown tab, so it is kept
  const selectChat: WorkspaceData["selectChat"] = (id, how) =>
    navigate(`/chat/${id}${location.search}`, how);

  async function makeChat(): Promise<ChatId> {
    const id = await add.mutateAsync();
    selectChat(id);
    return id;
  }

  /** Creates a chat; concurrent calls share one request. */
  function newChat(): Promise<ChatId> {
    making.current ??= makeChat().finally(() => (making.current = null));
    return making.current;
  }

  return {
    address,
    chats,
    chatId,
    chat,
    isChatUnknown,
    agent,
    isAgentAwaited: routeChatId !== "" && (isRestoring || isReading),
    network: agent?.network ?? defaultNetwork(deployment),
    explorerOf(agentId) {
      const network = chats?.find((each) => each.agent?.id === agentId)?.agent?.network;
      return network ? explorerLink(deployment, network) : null;
    },
    selectChat,
    newChat,
    startChat: () => void newChat().catch(toastError),
    renameChat: (id, title) => rename.mutate({ chatId: id, title }, { onError: toastError }),
    deleteChat(id, onDone) {
      remove.mutate(
        { params: { chatId: id } },
        {
          onSuccess() {
            if (id === routeChatId) navigate(`/${location.search}`);
          },
          onSettled: onDone,
        },
      );
    },
    leaveDeleted: () => navigate("/"),
    isDeleting: remove.isPending,
  };
}

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

function useAddChat(address: SignedInWallet) {
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
function useRenameChat(address: SignedInWallet) {
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
