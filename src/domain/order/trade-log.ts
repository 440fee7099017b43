import { formatDecimal } from "../amount.ts";
import type { MarketKind } from "../market.ts";
import { isOpenOrderState, type OrderState } from "./order-states.ts";
import type { Signal } from "../signal.ts";

/**
 * Returns an amount of a line as exact decimal text; without decimals the market is not known and only nothing can be said.
 *
 * Throws when there is an amount without its decimals: it would be shown as another one.
 */
export function lineAmount(units: bigint | string, decimals: number | null): string {
  const amount = BigInt(units);
  if (decimals !== null) return formatDecimal(amount, decimals);
  if (amount === 0n) return "0";
  throw new Error(`A line of the trade log has ${amount} base units of a market that is not known`);
}

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

/**
 * Returns what an entry's order did: opened or closed a side. The closing half of a turn carries the signal of the
 * opening, and its side says that it closed.
 */
export function tradedSignal(signal: string, side: string, kind: MarketKind | undefined): string {
  if (!signal.startsWith("OPEN_") || side === tradeSide(signal as Signal, kind)) return signal;
  return side === "sell" ? "CLOSE_LONG" : "CLOSE_SHORT";
}
