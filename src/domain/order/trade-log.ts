import { formatDecimal } from "../amount.ts";
import type { MarketKind } from "../market.ts";
import { isOpenOrderState, type OrderState } from "./order-states.ts";
import type { Signal } from "../signal.ts";

/**
 * Returns an amount of a trade log entry as exact decimal text; without decimals the market is unknown and only zero
 * can be shown.
 *
 * Throws on a non-zero amount without its decimals: it would be shown as a wrong figure.
 */
export function lineAmount(units: bigint | string, decimals: number | null): string {
  const amount = BigInt(units);
  if (decimals !== null) return formatDecimal(amount, decimals);
  if (amount === 0n) return "0";
  throw new Error(`A line of the trade log has ${amount} base units of a market that is not known`);
}

export type TradeLogStatus = "success" | "pending" | "failed";

/** Returns the trade log status of an order's state: only a whole or partial fill is a success. */
export function tradeLogStatus(state: OrderState): TradeLogStatus {
  if (state === "filled" || state === "partially_filled") return "success";
  return isOpenOrderState(state) ? "pending" : "failed";
}

/** Direction of a trade log entry. Closing a long sells, closing a short buys. */
export type TradeSide = "long" | "short" | "buy" | "sell" | "other";

/** Returns the direction of a signal's trade log entry; on a spot market opening a long is buying. */
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

/** Returns the type of a signal's trade log entry: a market order or a reset of counters. */
export function tradeType(signal: Signal): "market" | "reset" {
  return tradeSide(signal) === "other" ? "reset" : "market";
}

/**
 * Returns the signal that an entry's order carried out: opening or closing a side. The closing half of a reversal is
 * recorded with the opening's signal; its side shows that it closed.
 */
export function tradedSignal(signal: string, side: string, kind: MarketKind | undefined): string {
  if (!signal.startsWith("OPEN_") || side === tradeSide(signal as Signal, kind)) return signal;
  return side === "sell" ? "CLOSE_LONG" : "CLOSE_SHORT";
}
