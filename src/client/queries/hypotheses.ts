import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { hypothesis } from "../../contract/hypotheses.ts";
import { createHypothesis, listHypotheses } from "../../contract/hypotheses.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type Hypothesis = z.infer<typeof hypothesis>;

export const hypothesesQuery = (address: string, chatId: string) =>
  queryOptions({
    queryKey: keysOf(address).hypotheses(chatId),
    queryFn: () => call(listHypotheses, { params: { chatId } }),
    enabled: address !== "" && chatId !== "",
  });

/** Stores the hypothesis of one trade; the server keeps one per trade and 20 a day per agent. */
export const postHypothesis = (logId: string, text: string) =>
  call(createHypothesis, { body: { logId, hypothesis: text } });
