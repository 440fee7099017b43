import type { DENIALS } from "./reasons.ts";

/** Why we did not send an order. A reason without words does not compile. */
export type DenialReason = keyof typeof DENIALS;

/** An order we refused ourselves: nothing was sent. */
export interface Denied {
  readonly kind: "denied";
  readonly reason: DenialReason;
}

/** Returns the refusal for that reason. */
export function denied(reason: DenialReason): Denied {
  return { kind: "denied", reason };
}
