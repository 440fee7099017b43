import type { NoticeKind } from "../../../domain/notice.ts";

/** Labels of the events an owner chooses from. */
export const EVENT_WORDS: Readonly<Record<NoticeKind, string>> = {
  trade_filled: "Trade filled",
  trade_failed: "Order failed",
  limit_reached: "Limit reached",
  trading_stopped: "Stopping and stopped",
  custody_changed: "Changed outside Wheelhouse",
  balance_mismatch: "Book differs from the chain",
  source_silent: "No alert for a day",
  order_unknown: "Order unknown for a minute",
  low_sol: "Low on SOL for fees",
  new_browser: "Sign-in from a new browser",
};

export const STATE_WORDS = { waiting: "Waiting", sent: "Sent", given_up: "Given up" } as const;
