import { MAX_SLIPPAGE_BPS } from "./slippage.ts";
import type { DenialReason } from "./denial.ts";

/** Who asked for a position to be closed: an alert, the owner by turning auto-trade off, or a turn to the other side. */
export const EXIT_ASKERS = ["alert", "owner", "reversal"] as const;

export type ExitAsker = (typeof EXIT_ASKERS)[number];

/** Furthest an exit's price may be from the market's, in basis points; twice what an owner can set for an entry. */
export const MAX_EXIT_LIMIT_BPS = 2 * MAX_SLIPPAGE_BPS;

/** Oldest price an exit may be based on, in milliseconds. Its limit is then as wide as it gets. */
export const MAX_EXIT_PRICE_AGE_MS = 300_000;

/** Wait after the first try that could not be sent or did not fill, in milliseconds; it doubles with every further one. */
export const FIRST_EXIT_WAIT_MS = 250;

/** Longest wait between two tries, in milliseconds. */
export const MAX_EXIT_WAIT_MS = 15_000;

/** Times the priority fee doubles with further tries, before the cap of the deployment ends it. */
export const MAX_FEE_DOUBLINGS = 5;

/** Returns how long to wait after so many tries in a row, 1 or more. */
export function exitWaitMs(tries: number): number {
  return Math.min(MAX_EXIT_WAIT_MS, FIRST_EXIT_WAIT_MS * 2 ** Math.min(tries - 1, 16));
}

/**
 * Returns the limit of an exit's next order in basis points: the agent's own slippage for the first, double after every
 * order that left something open.
 */
export function exitLimitBps(slippageBps: number, attempts: number): number {
  return Math.min(MAX_EXIT_LIMIT_BPS, slippageBps * 2 ** Math.min(attempts, 16));
}

/** Returns by what the priority fee is multiplied after so many orders that left something open. */
export function exitFeeFactor(attempts: number): bigint {
  return 2n ** BigInt(Math.min(attempts, MAX_FEE_DOUBLINGS));
}

/** Reasons after which nothing is left to close; every other one is a reason to try again. */
const NOTHING_LEFT: ReadonlySet<DenialReason> = new Set([
  "nothing_to_close",
  "sub_account_missing",
  "market_unknown",
]);

/** Says whether a refusal ends an exit. */
export function endsExit(reason: DenialReason): boolean {
  return NOTHING_LEFT.has(reason);
}
