import { type QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import {
  exportTradeLog,
  listTradeLog,
  LOG_PAGE,
  type TradeLogEntry,
} from "../../contract/trade-log.ts";
import type { CallOf } from "../../contract/route.ts";
import { type ChatId, parseChatId } from "../../domain/ids.ts";
import { call, fetchFile } from "../lib/api.ts";
import { freshness, keyOf } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** `trades`: what did not fail. `attention`: what failed or has a reason. */
export type LogFilter = "all" | NonNullable<CallOf<typeof listTradeLog>["query"]["filter"]>;

/** The newest part of a log, without gaps, newest first. */
export interface LoadedLog {
  readonly entries: readonly TradeLogEntry[];
  /** Whether nothing older exists. */
  readonly isWhole: boolean;
}

const logOf = (chatId: ChatId | "", filter: LogFilter) => ({
  query: { chatId, ...filtered(filter) },
});

const filtered = (filter: LogFilter) => ({ filter: filter === "all" ? undefined : filter });

async function readPage(chatId: ChatId, filter: LogFilter, before?: string): Promise<LoadedLog> {
  const entries = await call(listTradeLog, { query: { chatId, ...filtered(filter), before } });
  return { entries, isWhole: entries.length < LOG_PAGE };
}

/**
 * Returns the newest page followed by older pages already loaded. Loaded entries older than a pending one are dropped,
 * because a pending entry changes; with the attention filter all of them are, because a change can add entries
 * anywhere.
 */
export function joinLog(
  newest: LoadedLog,
  loaded: LoadedLog | undefined,
  filter: LogFilter,
): LoadedLog {
  const last = newest.entries.at(-1)?.id;
  const joint = loaded?.entries.findIndex(({ id }) => id === last) ?? -1;
  if (loaded === undefined || newest.isWhole || joint === -1 || filter === "attention") {
    return newest;
  }
  const older = loaded.entries.slice(joint + 1);
  const changing = older.findIndex(({ status }) => status === "pending");
  const kept = changing === -1 ? older : older.slice(0, changing);
  const isWhole = loaded.isWhole && changing === -1;
  return { entries: [...newest.entries, ...kept], isWhole };
}

/** Newest part of a chat's log. A refresh reads the newest page again; `useTradeLog` loads older ones. */
export const tradeLogQuery = (address: SignedInWallet, chatId: ChatId | "", filter: LogFilter) =>
  queryOptions({
    queryKey: keyOf(address, listTradeLog, logOf(chatId, filter), "entries"),
    queryFn: chatId
      ? async ({ client, queryKey }): Promise<LoadedLog> => {
          const newest = await readPage(chatId, filter);
          return joinLog(newest, client.getQueryData<LoadedLog>(queryKey), filter);
        }
      : skipToken,
    ...freshness(address, listTradeLog, logOf(chatId, filter)),
    gcTime: 300_000,
    retry: 3,
    retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
  });

/** Reads the next older page and appends it; returns the number of entries then loaded. */
async function readOlder(
  client: QueryClient,
  key: ReturnType<typeof tradeLogQuery>["queryKey"],
  { chatId, filter, last }: { chatId: ChatId; filter: LogFilter; last: string },
): Promise<number> {
  const older = await readPage(chatId, filter, last);
  // A refresh meanwhile may have dropped the entry this page follows
  const joined = client.setQueryData(key, (log) =>
    log?.entries.at(-1)?.id === last
      ? { entries: [...log.entries, ...older.entries], isWhole: older.isWhole }
      : log,
  );
  return joined?.entries.length ?? 0;
}

/** Returns a chat's log and loads older pages, one after the other, while `isShort` says that they are needed. */
export function useTradeLog(
  { address, chatId, filter }: { address: SignedInWallet; chatId: ChatId | ""; filter: LogFilter },
  isShort: (log: LoadedLog) => boolean,
) {
  const of = tradeLogQuery(address, chatId, filter);
  const log = useQuery(of);
  const last = log.data?.entries.at(-1)?.id ?? "";
  const isLoadingOlder = log.data !== undefined && !log.data.isWhole && isShort(log.data);
  const older = useQuery({
    queryKey: keyOf(address, listTradeLog, logOf(chatId, filter), "older", last),
    queryFn: chatId
      ? ({ client }) => readOlder(client, of.queryKey, { chatId, filter, last })
      : skipToken,
    enabled: isLoadingOlder,
    gcTime: 0,
    retry: 2,
  });
  return {
    log,
    isLoadingOlder,
    /** Present after older entries could not be read. */
    retryOlder: isLoadingOlder && older.isError ? () => void older.refetch() : null,
  };
}

/** Fetches the whole log as a CSV file. Throws ApiError or TypeError. */
export async function fetchLogCsv(chatId: ChatId | "", filter: LogFilter): Promise<Blob> {
  return (
    await fetchFile(exportTradeLog, { query: { chatId: parseChatId(chatId), ...filtered(filter) } })
  ).blob();
}
