import { useQuery } from "@tanstack/react-query";
import { useMemo, createContext } from "react";
import { useStore } from "zustand";
import type { ChatId } from "../../../domain/ids.ts";
import type { Message } from "../../../contract/chats.ts";
import { messagesQuery } from "../../queries/messages.ts";
import { outbox } from "./outbox.ts";
import { useOwner } from "../../lib/session.ts";

export interface ShownMessage extends Message {
  readonly status: "pending" | "sent" | "failed";
}

/** Returns a chat's stored messages, followed by those the server has not confirmed. */
export function useShownMessages(chatId: ChatId | "") {
  const owner = useOwner();
  const read = useQuery(messagesQuery(owner, chatId));
  const waiting = useStore(outbox, ({ entries }) => entries);
  const messages = useMemo((): readonly ShownMessage[] => {
    const stored = owner === "" ? [] : (read.data?.messages ?? []);
    const ids = new Set(stored.map(({ id }) => id));
    return [
      ...stored.map((message) => ({ ...message, status: "sent" as const })),
      ...waiting
        .filter(
          (each) => each.chatId === chatId && each.owner === owner && !ids.has(each.message.id),
        )
        .map(({ message, status }) => ({ ...message, status })),
    ];
  }, [owner, chatId, read.data, waiting]);
  return { read, messages };
}

/** Id of the shown chat, for components inside its answers. */
export const ShownChat = createContext<ChatId | "">("");
