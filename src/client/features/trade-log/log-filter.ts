import type { ResponseOf } from "../../../contract/route.ts";
import type { listTradeLog } from "../../../contract/trade-log.ts";

export type LogEntry = ResponseOf<typeof listTradeLog>[number];
export type LogFilter = "trades" | "attention";

const isFailed = (entry: LogEntry): boolean => entry.status.toLowerCase() === "failed";

/** Whatever did not simply fill, and is more than just sent: its reason says what there is to know. */
const needsAttention = (entry: LogEntry): boolean => isFailed(entry) || entry.reason !== undefined;

/** Returns the entries a filter shows; the main table hides failed ones. */
export function filterLog(entries: readonly LogEntry[], filter: LogFilter): readonly LogEntry[] {
  return filter === "attention"
    ? entries.filter(needsAttention)
    : entries.filter((entry) => !isFailed(entry));
}
