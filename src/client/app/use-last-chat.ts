import { useEffect } from "react";
import { storedChat } from "../lib/storage.ts";
import type { WorkspaceData } from "./use-workspace.ts";

/** Whether no chat was on screen yet since the page was opened. */
let isArriving = true;

/** Brings somebody who comes back without naming a chat to the one they had on screen last. */
export function useLastChat({ address, chats, chatId, isChatUnknown, selectChat }: WorkspaceData) {
  const isKnown = chats?.some(({ id }) => id === chatId) === true;
  useEffect(() => {
    if (address === "" || chats === undefined) return;
    if (isKnown) storedChat.write({ owner: address, chatId });
    const last = isArriving && !isKnown && !isChatUnknown ? storedChat.read() : null;
    isArriving = false;
    if (last?.owner !== address || !chats.some(({ id }) => id === last.chatId)) return;
    selectChat(last.chatId, { replace: true });
  });
}
