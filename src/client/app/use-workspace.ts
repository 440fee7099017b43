import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import * as z from "zod/mini";
import { chatId as chatIdSchema } from "../../contract/fields.ts";
import type { AgentId, ChatId } from "../../domain/ids.ts";
import type { Agent } from "../../contract/agent.ts";
import type { Network } from "../../domain/network.ts";
import { type SignedInWallet, useOwner, useSessionStatus } from "../lib/session.ts";
import { toastError } from "../lib/toast.ts";
import { type Chat, deleteChat } from "../../contract/chats.ts";
import { chatsQuery, useAddChat, useRenameChat } from "../queries/chats.ts";
import { useChange } from "../queries/read.ts";
import { defaultNetwork, deploymentQuery } from "../queries/deployment.ts";
import { explorerLink } from "../queries/explorer.ts";

/** Returns the explorer link function for an agent's network; null when the network has no explorer. */
type ExplorerOf = (agentId: AgentId) => ((signature: string) => string) | null;

export interface WorkspaceData {
  /** Signed-in wallet, empty when nobody is signed in. */
  readonly address: SignedInWallet;
  /** Chats of the wallet; undefined while loading. */
  readonly chats: readonly Chat[] | undefined;
  readonly hasChatsFailed: boolean;
  /** Chat on screen, empty when none is. */
  readonly chatId: ChatId | "";
  readonly chat: Chat | undefined;
  /** True when the address names a chat that this wallet does not have. */
  readonly isChatUnknown: boolean;
  readonly agent: Agent | null;
  /** True until it is known whether the address's chat has an agent. */
  readonly isAgentAwaited: boolean;
  readonly network: Network;
  readonly explorerOf: ExplorerOf;
  selectChat(chatId: ChatId, how?: { readonly replace: boolean }): void;
  /** Creates and selects a chat; resolves to its id. Concurrent calls share one chat. Rethrows a failed call. */
  newChat(): Promise<ChatId>;
  /** Like `newChat`, but shows a failure as a toast. */
  startChat(): void;
  renameChat(chatId: ChatId, title: string): void;
  deleteChat(chatId: ChatId, onDone: () => void): void;
  /** Deselects the chat when it may have been deleted. */
  leaveDeleted(): void;
  readonly isDeleting: boolean;
}

/** Returns the workspace's state and actions: the chat the address names, its agent and the list of chats. */
export function useWorkspace(named: string): WorkspaceData {
  const address = useOwner();
  const [, navigate] = useLocation();
  const routeChatId = z.safeParse(chatIdSchema, named).data ?? "";
  const deployment = useQuery(deploymentQuery).data;
  const read = useQuery(chatsQuery(address));
  const add = useAddChat(address);
  const rename = useRenameChat(address);
  const remove = useChange(deleteChat);
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
    hasChatsFailed,
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
          onError: toastError,
          onSettled: onDone,
        },
      );
    },
    leaveDeleted: () => navigate("/"),
    isDeleting: remove.isPending,
  };
}
