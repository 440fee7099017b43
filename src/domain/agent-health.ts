/** What may be known of the key that trades for an agent, as the chain shows it. */
export const KEY_STATES = ["ours", "pending", "none", "foreign"] as const;

export type KeyState = (typeof KEY_STATES)[number];

/** From when on something that is only late counts as a fault, milliseconds. */
export const HEALTH_LIMITS_MS = {
  /** An order that was sent, without an outcome. */
  unsettled: 60_000,
  /** No alert of an agent that trades on alerts from outside. */
  silent: 24 * 3_600_000,
  /** No look at the agent's accounts: three rounds. */
  reconcile: 120_000,
  /** No comparison of the book with the chain: three of the longest pauses between two. */
  check: 30 * 60_000,
  /** A closed bar that its conditions were not evaluated on. */
  candles: 60_000,
} as const;
