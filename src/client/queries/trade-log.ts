import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { getTradeDetails, listTradeLog } from "../../contract/trade-log.ts";
import type { tradeLogEntry } from "../../contract/trade-log.ts";
import { call } from "../lib/api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";

export type TradeLogEntry = z.infer<typeof tradeLogEntry>;

/** Poll of the trade log while push is not connected and the page is visible. Spec: workspace §9 */
export const TRADE_LOG_POLL_MS = 3000;

/** What stands behind one entry; asked for when its row is opened. */
export const tradeDetailsQuery = (address: string, chatId: string, entryId: string) =>
  queryOptions({
    queryKey: [...keysOf(address).tradeLog(chatId), entryId],
    queryFn: () => call(getTradeDetails, { query: { chatId, entryId } }),
  });

export const tradeLogQuery = (address: string, chatId: string) =>
  queryOptions({
    queryKey: keysOf(address).tradeLog(chatId),
    queryFn: () => call(listTradeLog, { query: { chatId } }),
    enabled: address !== "" && chatId !== "",
    staleTime: 2000,
    gcTime: 300_000,
    retry: 3,
    retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
    refetchInterval: pollUnlessLive(TRADE_LOG_POLL_MS),
  });
