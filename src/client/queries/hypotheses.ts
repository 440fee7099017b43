import { infiniteQueryOptions, skipToken } from "@tanstack/react-query";
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
import { read } from "./read.ts";
import { TRADE_LOG_POLL_MS } from "./trade-log.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Pages of a chat's trades with a hypothesis, newest first. */
export const hypothesesQuery = (address: SignedInWallet, chatId: ChatId | "") =>
  infiniteQueryOptions({
    queryKey: [...keysOf(address).hypotheses(chatId), "pages"] as const,
    queryFn: chatId
      ? ({ pageParam }) =>
          call(listHypotheses, { params: { chatId }, query: { before: pageParam } })
      : skipToken,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < HYPOTHESES_PAGE ? null : page.at(-1)?.id),
    enabled: address !== "",
  });

/** Number of filled trades without a hypothesis, and the oldest of them. */
export const unexplainedQuery = (address: SignedInWallet, chatId: ChatId | "") => ({
  ...read(
    [...keysOf(address).hypotheses(chatId), "unexplained"],
    getUnexplained,
    chatId && { params: { chatId } },
  ),
  refetchInterval: pollUnlessLive(TRADE_LOG_POLL_MS),
});

/** Stores the hypothesis of one trade; the server keeps one per trade and 20 a day per agent. */
export const postHypothesis = (entryId: string, text: string) =>
  call(createHypothesis, { body: { entryId, text } });
