import { formatDecimal } from "../amount.ts";
import type { MarketKind } from "../market.ts";
import type { Signal } from "../signal.ts";

/** Events of an order. The chain can report late: a fill may be found after the order was given up. */
export const ORDER_EVENTS = [
  "deny",
  "submit",
  "lose_track",
  "rest",
  "fill",
  "fill_partly",
  "cancel",
  "reject",
  "expire",
] as const;

export type OrderEvent = (typeof ORDER_EVENTS)[number];

interface StateRow {
  /** Open orders are worked on by their agent's lane; the others are final unless the chain reports otherwise. */
  readonly isOpen: boolean;
  readonly on: Partial<Readonly<Record<OrderEvent, string>>>;
}

/** Events the chain can report for a sent order, whatever state was recorded before. */
const CHAIN_SAYS = { rest: "resting", fill: "filled", fill_partly: "partially_filled" } as const;

/**
 * Every state of an order and the state each event leads to; this table is the only place that defines them. A
 * signature is not a fill.
 *
 * `partially_filled`: part of it traded and the rest is cancelled. `resting`: open at the venue, possibly partly
 * filled.
 */
const TABLE = {
  planned: { isOpen: true, on: { deny: "denied", submit: "submitted" } },
  denied: { isOpen: false, on: {} },
  submitted: {
    isOpen: true,
    on: { ...CHAIN_SAYS, lose_track: "unknown", reject: "rejected", expire: "expired" },
  },
  unknown: { isOpen: true, on: { ...CHAIN_SAYS, reject: "rejected", expire: "expired" } },
  resting: {
    isOpen: true,
    on: {
      rest: "resting",
      fill: "filled",
      fill_partly: "partially_filled",
      cancel: "cancelled",
      expire: "expired",
    },
  },
  partially_filled: { isOpen: false, on: { fill: "filled", fill_partly: "partially_filled" } },
  filled: { isOpen: false, on: {} },
  cancelled: { isOpen: false, on: { fill: "filled", fill_partly: "partially_filled" } },
  rejected: { isOpen: false, on: CHAIN_SAYS },
  expired: { isOpen: false, on: CHAIN_SAYS },
} as const satisfies Record<string, StateRow>;

export type OrderState = keyof typeof TABLE;

/** States of the orders a lane works on. */
export type OpenOrderState = {
  [State in OrderState]: (typeof TABLE)[State]["isOpen"] extends true ? State : never;
}[OrderState];

export const ORDER_STATES = Object.keys(TABLE) as readonly OrderState[];

const rowOf = (state: OrderState): StateRow => TABLE[state];

/** Returns whether the order's lane still has work to do for it. */
export function isOpenOrderState(state: OrderState): state is OpenOrderState {
  return TABLE[state].isOpen;
}

export const OPEN_ORDER_STATES = ORDER_STATES.filter(isOpenOrderState);

/** Open states of an order that may have been sent to the chain. */
export const SENT_ORDER_STATES = OPEN_ORDER_STATES.filter((state) => state !== "planned");

/** Returns the state an event leads to, or null where the event is not allowed. */
export function orderAfter(state: OrderState, event: OrderEvent): OrderState | null {
  return (rowOf(state).on[event] as OrderState | undefined) ?? null;
}

/**
 * Returns the states in which an event is allowed; a writer of that event requires the stored order to be in one of
 * them.
 */
export function statesBefore(event: OrderEvent): readonly OrderState[] {
  return ORDER_STATES.filter((state) => orderAfter(state, event) !== null);
}

/** Returns the state an event leads to, from any state that allows it. */
export function stateAfter(event: OrderEvent): OrderState {
  const [after] = new Set(statesBefore(event).map((state) => orderAfter(state, event)));
  if (after === undefined || after === null) throw new Error(`Nothing becomes of ${event}`);
  return after;
}

/** Milliseconds after sending without an answer from which an order shows as `unknown`. */
export const UNKNOWN_AFTER_MS = 30_000;

/** Returns whether a sent order without an answer must be shown as unknown. */
export function isOutcomeOverdue(submittedAtMs: number, nowMs: number): boolean {
  return nowMs - submittedAtMs >= UNKNOWN_AFTER_MS;
}

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
