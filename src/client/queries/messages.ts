import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { message } from "../../contract/chats.ts";
import { addMessage, deleteMessage, listMessages, searchMessages } from "../../contract/chats.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type Message = z.infer<typeof message>;

export const messagesQuery = (address: string, chatId: string) =>
  queryOptions({
    queryKey: keysOf(address).messages(chatId),
    queryFn: () => call(listMessages, { params: { chatId } }),
    enabled: address !== "" && chatId !== "",
    staleTime: 30_000,
  });

/** Stores a message; the same id twice stores one. */
export const postMessage = (chatId: string, message: Message) =>
  call(addMessage, { params: { chatId }, body: message });

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
