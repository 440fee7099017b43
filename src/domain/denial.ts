import type { DENIALS } from "./reasons.ts";

/** Why we did not send an order. A reason without a text does not compile. */
export type DenialReason = keyof typeof DENIALS;

/** An order we denied ourselves: nothing was sent. */
export interface Denied {
  readonly kind: "denied";
  readonly reason: DenialReason;
}

/** Returns the denial for a reason. */
export function denied(reason: DenialReason): Denied {
  return { kind: "denied", reason };
}
