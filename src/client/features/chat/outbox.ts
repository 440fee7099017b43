import { createStore } from "zustand/vanilla";
import type { Message } from "../../queries/messages.ts";

export interface OutgoingMessage extends Message {
  readonly status: "pending" | "failed";
}

/** Messages that the server has not confirmed yet, by chat. */
export const outbox = createStore<Readonly<Record<string, readonly OutgoingMessage[]>>>(() => ({}));

export function putInOutbox(chatId: string, message: OutgoingMessage): void {
  outbox.setState((all) => ({
    [chatId]: [...(all[chatId] ?? []).filter(({ _id }) => _id !== message._id), message],
  }));
}

export function takeFromOutbox(chatId: string, messageId: string): void {
  outbox.setState((all) => ({
    [chatId]: (all[chatId] ?? []).filter(({ _id }) => _id !== messageId),
  }));
}
