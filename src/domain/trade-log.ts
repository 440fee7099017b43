import { DENIAL_TEXTS } from "./denial.ts";
import type { MarketKind } from "./market.ts";
import { isOpenOrderState, type OrderState } from "./order/order-states.ts";
import type { Signal } from "./signal.ts";

export type TradeLogStatus = "success" | "pending" | "failed";

/** Returns how an order's state shows in the trade log: only what traded, whole or in part, is a success. */
export function tradeLogStatus(state: OrderState): TradeLogStatus {
  if (state === "filled" || state === "partially_filled") return "success";
  return isOpenOrderState(state) ? "pending" : "failed";
}

/** Which way a trade log entry points. Closing a long sells, closing a short buys. */
export type TradeSide = "long" | "short" | "buy" | "sell" | "other";

/** Returns the side an entry of that signal shows; on a spot market opening a long is buying. */
export function tradeSide(signal: Signal, kind: MarketKind = "perpetual"): TradeSide {
  switch (signal) {
    case "OPEN_LONG":
      return kind === "spot" ? "buy" : "long";
    case "OPEN_SHORT":
      return "short";
    case "CLOSE_LONG":
      return "sell";
    case "CLOSE_SHORT":
      return "buy";
    default:
      return "other";
  }
}

/** Returns the kind of entry a signal leaves: an order at the market, or counters set back. */
export function tradeType(signal: Signal): "market" | "reset" {
  return tradeSide(signal) === "other" ? "reset" : "market";
}

const OUTCOME_TEXTS: Readonly<Record<string, string>> = {
  ...DENIAL_TEXTS,
  trading_off: "Auto-trade is off.",
  stale_signal: "The alert is too old or too far in the future.",
  alert_unknown: "The agent has no alert of that name.",
  alert_name_invalid: "That alert name cannot be used.",
  timestamp_placeholder: "The timestamp still holds the placeholder {{timenow}}.",
  dedup_mismatch: "A different alert with the same name and time was already received.",
  rate_limited: "Too many alerts in a minute.",
  expired: "The order did not reach the chain in time. Nothing was traded.",
  not_filled: "The order reached the venue but found nobody to trade with.",
  partially_filled:
    "Partly filled: nobody traded the rest at an acceptable price, and it was cancelled.",
  resting: "At the venue, waiting to be filled.",
  cancelled: "Nobody traded with the order at an acceptable price, and it was cancelled.",
  outcome_unknown: "Sent, no answer yet - checking the chain.",
  submitted: "Sent, waiting for the chain.",
};

/** Returns the sentence for a recorded reason; what a venue said in its own words stays as it is. */
export function reasonText(reason: string): string {
  return OUTCOME_TEXTS[reason] ?? reason;
}
