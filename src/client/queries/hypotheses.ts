import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  createHypothesis,
  getUnexplained,
  HYPOTHESES_PAGE,
  listHypotheses,
} from "../../contract/hypotheses.ts";
import type { ChatId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";
import { toEntry, TRADE_LOG_POLL_MS, type TradeLogEntry } from "./trade-log.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Trade with its hypothesis. */
export interface ExplainedTrade {
  readonly id: string;
  readonly entry: TradeLogEntry;
  readonly text: string;
}

/** Pages of a chat's trades with a hypothesis, newest first. */
export const hypothesesQuery = (address: SignedInWallet, chatId: ChatId | "") =>
  infiniteQueryOptions({
    queryKey: [...keysOf(address).hypotheses(chatId), "pages"] as const,
    queryFn: async ({ pageParam }): Promise<ExplainedTrade[]> => {
      const query = pageParam === null ? {} : { before: pageParam };
      const page = await call(listHypotheses, { params: { chatId }, query });
      return page.map(({ _id: id, hypothesis, entry }) => ({
        id,
        entry: toEntry(entry),
        text: hypothesis,
      }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < HYPOTHESES_PAGE ? null : page.at(-1)?.id),
    enabled: address !== "" && chatId !== "",
  });

/** Number of filled trades without a hypothesis, and the oldest of them. */
export const unexplainedQuery = (address: SignedInWallet, chatId: ChatId | "") =>
  queryOptions({
    queryKey: [...keysOf(address).hypotheses(chatId), "unexplained"],
    queryFn: async () => {
      const { count, oldest } = await call(getUnexplained, { params: { chatId } });
      return { count, oldest: oldest === undefined ? null : toEntry(oldest) };
    },
    enabled: address !== "" && chatId !== "",
    refetchInterval: pollUnlessLive(TRADE_LOG_POLL_MS),
  });

/** Stores the hypothesis of one trade; the server keeps one per trade and 20 a day per agent. */
export const postHypothesis = (entryId: string, text: string) =>
  call(createHypothesis, { body: { logId: entryId, hypothesis: text } });
