import type { TradeLogEntry } from "../../queries/trade-log.ts";

export type LogFilter = "trades" | "attention";

const isFailed = (entry: TradeLogEntry): boolean => entry.status.toLowerCase() === "failed";

/** Returns whether an entry failed or has a reason. */
const needsAttention = (entry: TradeLogEntry): boolean =>
  isFailed(entry) || entry.reason !== undefined;

/** Returns the entries of a filter; the main table hides failed ones. */
export function filterLog(
  entries: readonly TradeLogEntry[],
  filter: LogFilter,
): readonly TradeLogEntry[] {
  return filter === "attention"
    ? entries.filter(needsAttention)
    : entries.filter((entry) => !isFailed(entry));
}
