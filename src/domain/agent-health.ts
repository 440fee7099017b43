import type { Network } from "./network.ts";

/**
 * Who holds the agent's trading key according to the chain: our key, a set-up that is not signed yet, nobody, or
 * another key.
 */
export const KEY_STATES = ["ours", "pending", "none", "foreign"] as const;

export type KeyState = (typeof KEY_STATES)[number];

/** Delays after which something late counts as a fault, in milliseconds. */
export const HEALTH_LIMITS_MS = {
  /** A sent order has had no outcome for this long. */
  unsettled: 60_000,
  /** An agent that trades on outside alerts has received none for this long. */
  silent: 24 * 3_600_000,
  /** The agent's accounts were not read for this long: three reconciliation rounds. */
  reconcile: 120_000,
  /** The ledger was not compared with the chain for this long: three times the longest pause between comparisons. */
  check: 30 * 60_000,
  /** Fills count towards the fill times for this long. */
  fills: 24 * 3_600_000,
  /** A closed bar was not evaluated for this long. */
  candles: 60_000,
} as const;

/** Possible faults of an RPC node. */
export const NODE_TROUBLES = [
  "unreachable",
  "limited",
  "refused",
  "behind",
  "without_history",
  "wrong_chain",
  "wrong_answer",
] as const;

export type NodeTrouble = (typeof NODE_TROUBLES)[number];

/**
 * What is wrong with a source of live prices: no answer; it refuses without a key, or its key; it refuses this country; it
 * refuses so many requests; another refusal; another form than documented, or prices that cannot be; its time does not
 * advance; its time is ahead of the server's; prices far from the other sources'.
 */
export const SOURCE_FAULTS = [
  "unreachable",
  "key",
  "country",
  "limited",
  "refused",
  "unreadable",
  "old",
  "ahead",
  "apart",
] as const;

export type SourceFault = (typeof SOURCE_FAULTS)[number];

/**
 * Reason why there is no price: no reading is new enough, sources disagree, one alone moves too far, or fewer than three
 * jump by more than 20 % and have not said so for ten seconds.
 */
export const NO_PRICES = ["stale", "apart", "unconfirmed", "jumped"] as const;

export type NoPrice = (typeof NO_PRICES)[number];

/** What keeps a trading process from trading on a network: its signer, or every node, does not answer. */
export const STOP_REASONS = ["signer", "nodes"] as const;

/** A network that cannot be traded on, and since when, in Unix milliseconds. */
export interface Stopped {
  readonly network: Network;
  readonly reason: (typeof STOP_REASONS)[number];
  readonly sinceMs: number;
}
