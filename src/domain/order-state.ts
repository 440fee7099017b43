import type { OrderState } from "./order.ts";

const NEXT: Readonly<Record<OrderState, readonly OrderState[]>> = {
  planned: ["denied", "submitted"],
  denied: [],
  submitted: ["unknown", "filled", "rejected", "expired"],
  unknown: ["filled", "rejected", "expired"],
  filled: [],
  rejected: [],
  expired: [],
};

/** An order shows as `unknown` when this long has passed since it was sent without an answer. */
export const UNKNOWN_AFTER_MS = 30_000;

/** Says whether an order may go from one state to the other. */
export function canOrderBecome(from: OrderState, to: OrderState): boolean {
  return NEXT[from].includes(to);
}

/** Says whether a sent order without an answer has to be shown as unknown. */
export function isOutcomeOverdue(submittedAtMs: number, nowMs: number): boolean {
  return nowMs - submittedAtMs >= UNKNOWN_AFTER_MS;
}
