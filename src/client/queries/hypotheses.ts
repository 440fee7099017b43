import { queryOptions } from "@tanstack/react-query";
import { createHypothesis, listHypotheses } from "../../contract/hypotheses.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

/** Hypothesis about one trade log entry. */
export interface Hypothesis {
  readonly entryId: string;
  readonly text: string;
}

export const hypothesesQuery = (address: string, chatId: string) =>
  queryOptions({
    queryKey: keysOf(address).hypotheses(chatId),
    queryFn: async () =>
      (await call(listHypotheses, { params: { chatId } })).map(
        ({ logId, hypothesis }): Hypothesis => ({ entryId: logId, text: hypothesis }),
      ),
    enabled: address !== "" && chatId !== "",
  });

/** Stores the hypothesis of one trade; the server keeps one per trade and 20 a day per agent. */
export const postHypothesis = (entryId: string, text: string) =>
  call(createHypothesis, { body: { logId: entryId, hypothesis: text } });
