const REASON_TEXTS: Readonly<Record<string, string>> = {
  already_long: "Denied: a long was already open.",
  already_short: "Denied: a short was already open.",
  nothing_to_close: "Denied: there was nothing to close.",
  trading_off: "Denied: Auto-Trade was off.",
  trading_halted: "Denied: trading is halted.",
  stopping: "Denied: the agent was stopping.",
  stale_signal: "Denied: the signal was too old.",
  stale_price: "Denied: the price was too old or missing.",
  price_deviation: "Denied: the price had moved too far.",
  insufficient_collateral: "Denied: not enough free collateral.",
  venue_paused: "Denied: the venue takes no new entries.",
  expired: "Expired before it landed. No funds moved.",
  unknown: "Sent, outcome not known yet. We keep checking.",
};

/** Returns a reason as people read it; an unknown code is shown with its underscores as spaces. */
export function reasonText(reason: string): string {
  if (Object.hasOwn(REASON_TEXTS, reason)) return REASON_TEXTS[reason] ?? reason;
  return /^[a-z0-9_]+$/.test(reason) ? `${reason.replaceAll("_", " ")}.` : reason;
}
