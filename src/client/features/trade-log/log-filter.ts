import type { TradeLogEntry } from "../../queries/trade-log.ts";

export type LogFilter = "trades" | "attention";

const isFailed = (entry: TradeLogEntry): boolean => entry.status.toLowerCase() === "failed";

/** Whatever did not simply fill, and is more than just sent: its reason says what there is to know. */
const needsAttention = (entry: TradeLogEntry): boolean =>
  isFailed(entry) || entry.reason !== undefined;

/** Returns the entries a filter shows; the main table hides failed ones. */
export function filterLog(
  entries: readonly TradeLogEntry[],
  filter: LogFilter,
): readonly TradeLogEntry[] {
  return filter === "attention"
    ? entries.filter(needsAttention)
    : entries.filter((entry) => !isFailed(entry));
}
