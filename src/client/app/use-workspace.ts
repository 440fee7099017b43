import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useLocation } from "wouter";
import type { Agent } from "../queries/agent.ts";
import type { Network } from "../../domain/network.ts";
import { useOwner } from "../lib/session.ts";
import { toastError } from "../lib/toast.ts";
import {
  type Chat,
  chatsQuery,
  useAddChat,
  useDeleteChat,
  useRenameChat,
} from "../queries/chats.ts";
import { defaultNetwork, deploymentQuery } from "../queries/deployment.ts";
import { explorerLink } from "../queries/explorer.ts";

/** Looks a signature up in the explorer of an agent's network; null where there is none. */
type ExplorerOf = (agentId: string) => ((signature: string) => string) | null;

export interface WorkspaceData {
  /** Signed-in wallet, empty when nobody is signed in. */
  readonly address: string;
  /** Undefined while not loaded. */
  readonly chats: readonly Chat[] | undefined;
  readonly hasChatsFailed: boolean;
  /** Chat on screen, empty when none is. */
  readonly chatId: string;
  readonly chat: Chat | undefined;
  /** The address names a chat this wallet does not have. */
  readonly isChatUnknown: boolean;
  readonly agent: Agent | null;
  readonly network: Network;
  readonly explorerOf: ExplorerOf;
  selectChat(chatId: string, how?: { readonly replace: boolean }): void;
  /** Makes a chat and shows it; answers its id, or that of the one just being made. Throws what the call throws. */
  newChat(): Promise<string>;
  /** As `newChat`, telling the user when it fails. */
  startChat(): void;
  renameChat(chatId: string, title: string): void;
  deleteChat(chatId: string, onDone: () => void): void;
  /** Shows no chat any more when the one on screen may be gone. */
  leaveDeleted(): void;
  readonly isDeleting: boolean;
}

/** What is on screen and the acts on it: the chat of the route, its agent, and the list it stands in. */
export function useWorkspace(routeChatId: string): WorkspaceData {
  const address = useOwner();
  const [, navigate] = useLocation();
  const deployment = useQuery(deploymentQuery).data;
  const read = useQuery(chatsQuery(address));
  const add = useAddChat(address);
  const rename = useRenameChat(address);
  const remove = useDeleteChat(address);
  const making = useRef<Promise<string> | null>(null);
  const chats = address === "" ? undefined : read.data;
  const isGone =
    chats !== undefined && !chats.some(({ id }) => id === routeChatId) && !add.isPending;
  const isChatUnknown = isGone && !read.isFetching && routeChatId !== "";
  const chatId = address === "" || isChatUnknown ? "" : routeChatId;
  const chat = chats?.find(({ id }) => id === chatId);
  const agent = chat?.agent ?? null;
  // The tab on screen stands in the query and stays
  const selectChat: WorkspaceData["selectChat"] = (id, how) =>
    navigate(`/chat/${id}${location.search}`, how);

  async function makeChat(): Promise<string> {
    const id = await add.mutateAsync();
    selectChat(id);
    return id;
  }

  /** Asked for twice before it is there, it is still one chat. */
  function newChat(): Promise<string> {
    making.current ??= makeChat().finally(() => (making.current = null));
    return making.current;
  }

  return {
    address,
    chats,
    hasChatsFailed: read.isError && read.data === undefined,
    chatId,
    chat,
    isChatUnknown,
    agent,
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
      remove.mutate(id, {
        onSuccess() {
          if (id === routeChatId) navigate(`/${location.search}`);
        },
        onError: toastError,
        onSettled: onDone,
      });
    },
    leaveDeleted: () => navigate("/"),
    isDeleting: remove.isPending,
  };
}
