import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { message } from "../../contract/chats.ts";
import { addMessage, deleteMessage, listMessages, searchMessages } from "../../contract/chats.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type WireMessage = z.infer<typeof message>;

/** A message of a chat; its id is made where it was written. */
export interface Message {
  readonly id: string;
  readonly type: "user" | "ai";
  readonly content: string;
  readonly at: string;
}

export const toMessage = ({ _id, timestamp, ...alike }: WireMessage): Message => ({
  ...alike,
  id: _id,
  at: timestamp,
});

/** Returns a message as it is sent and kept in storage. */
export const toWireMessage = ({ id: _id, at: timestamp, ...alike }: Message): WireMessage => ({
  ...alike,
  _id,
  timestamp,
});

export const messagesQuery = (address: string, chatId: string) =>
  queryOptions({
    queryKey: keysOf(address).messages(chatId),
    queryFn: async () => (await call(listMessages, { params: { chatId } })).map(toMessage),
    enabled: address !== "" && chatId !== "",
    staleTime: 30_000,
  });

/** Stores a message; the same id twice stores one. */
export const postMessage = async (chatId: string, message: Message) =>
  toMessage(await call(addMessage, { params: { chatId }, body: toWireMessage(message) }));

export const removeMessage = (chatId: string, messageId: string) =>
  call(deleteMessage, { params: { chatId, messageId } });

/** Chats in whose messages the text stands; a shorter text than the call takes is not asked for. */
export const messageSearchQuery = (address: string, text: string) =>
  queryOptions({
    queryKey: keysOf(address).messageSearch(text),
    queryFn: () => call(searchMessages, { params: { walletAddress: address }, query: { text } }),
    enabled: address !== "" && text.length >= 2,
    staleTime: 10_000,
  });
