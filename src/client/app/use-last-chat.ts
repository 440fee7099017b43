import { useEffect } from "react";
import { storedChat } from "../lib/storage.ts";
import type { WorkspaceData } from "./use-workspace.ts";

/** True until the first chat has been shown since the page was opened. */
let isArriving = true;

/** Selects the chat shown last when the address names none. */
export function useLastChat({ address, chats, chatId, isChatUnknown, selectChat }: WorkspaceData) {
  const isKnown = chats?.some(({ id }) => id === chatId) === true;
  useEffect(() => {
    if (address === "" || chats === undefined) return;
    if (isKnown && chatId !== "") storedChat.write({ owner: address, chatId });
    const last = isArriving && !isKnown && !isChatUnknown ? storedChat.read() : null;
    isArriving = false;
    if (last?.owner !== address || !chats.some(({ id }) => id === last.chatId)) return;
    selectChat(last.chatId, { replace: true });
  });
}
