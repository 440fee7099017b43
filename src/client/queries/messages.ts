import { type QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import {
  listMessages,
  type Message,
  MESSAGE_PAGE,
  MESSAGE_PAGE_CHARACTERS,
} from "../../contract/chats.ts";
import type { ChatId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { isApiError } from "../lib/problem.ts";
import { freshness, keyOf } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** The newest part of a chat, without gaps, oldest first. */
export interface LoadedMessages {
  readonly messages: readonly Message[];
  /** Whether nothing older exists. */
  readonly isWhole: boolean;
}

async function readPage(chatId: ChatId, before?: string): Promise<LoadedMessages> {
  const messages = await call(listMessages, { params: { chatId }, query: { before } });
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  const isWhole = messages.length < MESSAGE_PAGE && characters < MESSAGE_PAGE_CHARACTERS;
  return { messages, isWhole };
}

/** Returns the newest page preceded by what was loaded before it. */
export function joinMessages(
  newest: LoadedMessages,
  loaded: LoadedMessages | undefined,
): LoadedMessages {
  const first = newest.messages[0]?.id;
  const joint = loaded?.messages.findIndex(({ id }) => id === first) ?? -1;
  if (loaded === undefined || newest.isWhole || joint === -1) return newest;
  return {
    messages: [...loaded.messages.slice(0, joint), ...newest.messages],
    isWhole: loaded.isWhole,
  };
}

/** Newest part of a chat. A refresh reads the newest page again; `useOlderMessages` loads older ones. */
export const messagesQuery = (address: SignedInWallet, chatId: ChatId | "") =>
  queryOptions({
    queryKey: keyOf(address, listMessages, { params: { chatId }, query: {} }, "loaded"),
    queryFn: chatId
      ? async ({ client, queryKey }): Promise<LoadedMessages> => {
          const newest = await readPage(chatId);
          return joinMessages(newest, client.getQueryData<LoadedMessages>(queryKey));
        }
      : skipToken,
    ...freshness(address, listMessages, { params: { chatId }, query: {} }),
  });

/** Changes the loaded messages of a chat after a call did so on the server, and reads the newest again. */
export async function changeMessages(
  client: QueryClient,
  { queryKey }: ReturnType<typeof messagesQuery>,
  change: (messages: readonly Message[]) => readonly Message[],
): Promise<void> {
  await client.cancelQueries({ queryKey });
  client.setQueryData(
    queryKey,
    (loaded) => loaded && { ...loaded, messages: change(loaded.messages) },
  );
  void client.invalidateQueries({ queryKey });
}

/** Reads the page before a message and puts it in front; returns the number of messages then loaded. */
async function readOlder(
  client: QueryClient,
  key: ReturnType<typeof messagesQuery>["queryKey"],
  { chatId, first }: { chatId: ChatId; first: string },
): Promise<number> {
  const older = await readPage(chatId, first).catch((error: unknown) => {
    // Another tab deleted the message; the next one tells the page
    if (isApiError(error, "not_found")) return null;
    throw error;
  });
  const joined = client.setQueryData(key, (loaded) => {
    // A refresh meanwhile may have dropped the message this page precedes
    if (loaded?.messages[0]?.id !== first) return loaded;
    if (older === null) return { ...loaded, messages: loaded.messages.slice(1) };
    return { messages: [...older.messages, ...loaded.messages], isWhole: older.isWhole };
  });
  return joined?.messages.length ?? 0;
}

/** Loads older messages of a chat, one page after the other, while they are wanted. */
export function useOlderMessages(address: SignedInWallet, chatId: ChatId | "", isWanted: boolean) {
  const of = messagesQuery(address, chatId);
  const loaded = useQuery(of).data;
  const first = loaded?.messages[0]?.id ?? "";
  const isLoading = isWanted && loaded !== undefined && !loaded.isWhole && first !== "";
  const older = useQuery({
    queryKey: keyOf(address, listMessages, { params: { chatId }, query: {} }, "older", first),
    queryFn: chatId ? ({ client }) => readOlder(client, of.queryKey, { chatId, first }) : skipToken,
    enabled: isLoading,
    gcTime: 0,
    retry: 2,
  });
  return {
    isLoading,
    /** Present after older messages could not be read. */
    retry: isLoading && older.isError ? () => void older.refetch() : null,
  };
}
