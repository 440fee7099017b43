import type { TradeLogEntry } from "../../../../contract/trade-log.ts";

/** Reasons shown as a separate outcome, beyond filled, pending and failed. */
const NAMED: Readonly<Record<string, { readonly tone: "warn" | "down"; readonly label: string }>> =
  {
    partially_filled: { tone: "warn", label: "Partly filled" },
    resting: { tone: "warn", label: "At the venue" },
    cancelled: { tone: "down", label: "Cancelled" },
    fills_unread: { tone: "warn", label: "Not known" },
    expired: { tone: "down", label: "Expired" },
  };

/** Returns an entry's mark; null when it filled as intended. */
export function outcomeOf({ status, reason }: Pick<TradeLogEntry, "status" | "reason">) {
  const named = reason !== undefined && Object.hasOwn(NAMED, reason) ? NAMED[reason] : undefined;
  if (named !== undefined) return named;
  if (status.toLowerCase() === "failed") return { tone: "down", label: "Failed" } as const;
  return status === "pending" ? ({ tone: "warn", label: "Pending" } as const) : null;
}
