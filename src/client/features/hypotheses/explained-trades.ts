import type { Hypothesis } from "../../queries/hypotheses.ts";
import type { TradeLogEntry } from "../../queries/trade-log.ts";

export interface ExplainedTrade {
  readonly entry: TradeLogEntry;
  readonly text: string;
}

/** Returns the trades that have a hypothesis, in the log's order; failed ones have none. */
export function explainedTrades(
  entries: readonly TradeLogEntry[],
  hypotheses: readonly Hypothesis[],
): readonly ExplainedTrade[] {
  const texts = new Map(hypotheses.map(({ entryId, text }) => [entryId, text]));
  return entries.flatMap((entry) => {
    const text = texts.get(entry.id);
    return text === undefined || entry.status.toLowerCase() === "failed" ? [] : [{ entry, text }];
  });
}

/** Returns the trades that still want a hypothesis, oldest first: filled ones, and no counters set back. */
export function unexplainedTrades(
  entries: readonly TradeLogEntry[],
  explained: readonly Pick<Hypothesis, "entryId">[],
): readonly TradeLogEntry[] {
  const done = new Set(explained.map(({ entryId }) => entryId));
  return entries
    .filter(({ id, status, type }) => status === "success" && type !== "reset" && !done.has(id))
    .toReversed();
}
