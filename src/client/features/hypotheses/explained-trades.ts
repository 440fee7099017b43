import type { Hypothesis } from "../../queries/hypotheses.ts";
import type { TradeLogEntry } from "../../queries/trade-log.ts";

export interface ExplainedTrade {
  readonly entry: TradeLogEntry;
  readonly text: string;
}

/** Returns the trades with a hypothesis in log order; failed trades have none. */
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

/** Returns filled trades without a hypothesis, oldest first; counter resets are excluded. */
export function unexplainedTrades(
  entries: readonly TradeLogEntry[],
  explained: readonly Pick<Hypothesis, "entryId">[],
): readonly TradeLogEntry[] {
  const done = new Set(explained.map(({ entryId }) => entryId));
  return entries
    .filter(({ id, status, type }) => status === "success" && type !== "reset" && !done.has(id))
    .toReversed();
}
