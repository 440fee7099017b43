import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { useStore } from "zustand";
import * as z from "zod/mini";
import { chatId as chatIdSchema } from "../../contract/fields.ts";
import type { ChatId } from "../../domain/ids.ts";
import { chosenNetwork } from "../lib/chosen-network.ts";
import { useOwner, useSessionStatus } from "../lib/session.ts";
import type { WorkspaceData } from "../actions/action.ts";
import { toastError } from "../lib/toast.ts";
import { deleteChat } from "../../contract/chats.ts";
import { chatsQuery, useAddChat, useRenameChat } from "../queries/chats.ts";
import { useChange } from "../queries/read.ts";
import { defaultNetwork, deploymentQuery } from "../queries/deployment.ts";
import { explorerLink } from "../queries/explorer.ts";

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
