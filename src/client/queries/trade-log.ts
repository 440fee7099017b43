import { queryOptions } from "@tanstack/react-query";
import { getTradeDetails, listTradeLog } from "../../contract/trade-log.ts";
import type { ResponseOf } from "../../contract/route.ts";
import { call } from "../lib/api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";

/** Trade log entry. Amounts are exact decimal text: `size` in the asset, `total` in quote. */
export interface TradeLogEntry {
  readonly id: string;
  readonly market: string;
  readonly size: string;
  readonly percentage: string;
  readonly total: string;
  readonly type: string;
  readonly side: string;
  readonly signal: string;
  readonly at: string;
  readonly status: "success" | "pending" | "failed";
  /** Reason for an outcome other than filled. */
  readonly reason?: string | undefined;
  readonly price?: string | undefined;
  readonly fee?: string | undefined;
  readonly signature?: string | undefined;
  /** True when the owner acted with the wallet. */
  readonly byOwner?: true | undefined;
}

const toEntry = ({
  _id,
  webhookSignal,
  timestamps,
  ...alike
}: ResponseOf<typeof listTradeLog>[number]): TradeLogEntry => ({
  ...alike,
  id: _id,
  signal: webhookSignal,
  at: timestamps,
});

/** Poll interval of the visible trade log while push is not connected, in milliseconds. */
export const TRADE_LOG_POLL_MS = 3000;

/** Details of one entry; fetched when its row is opened. */
export const tradeDetailsQuery = (address: string, chatId: string, entryId: string) =>
  queryOptions({
    queryKey: [...keysOf(address).tradeLog(chatId), entryId],
    queryFn: () => call(getTradeDetails, { query: { chatId, entryId } }),
  });

export const tradeLogQuery = (address: string, chatId: string) =>
  queryOptions({
    queryKey: keysOf(address).tradeLog(chatId),
    queryFn: async () => (await call(listTradeLog, { query: { chatId } })).map(toEntry),
    enabled: address !== "" && chatId !== "",
    staleTime: 2000,
    gcTime: 300_000,
    retry: 3,
    retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
    refetchInterval: pollUnlessLive(TRADE_LOG_POLL_MS),
  });
