import { MAX_SLIPPAGE_BPS } from "./slippage.ts";
import type { DenialReason } from "./denial.ts";

/** Origin of an exit: an alert, the owner turning auto-trade off, or a reversal to the other side. */
export const EXIT_ASKERS = ["alert", "owner", "reversal"] as const;

export type ExitAsker = (typeof EXIT_ASKERS)[number];

/** Widest slippage limit of an exit, in basis points; twice the widest limit an owner can set for an entry. */
export const MAX_EXIT_LIMIT_BPS = 2 * MAX_SLIPPAGE_BPS;

/** Oldest price an exit may be based on, in milliseconds. With an old price the exit uses its widest limit. */
export const MAX_EXIT_PRICE_AGE_MS = 300_000;

/**
 * Wait after the first attempt that was not sent or did not fill, in milliseconds; it doubles with every further
 * attempt.
 */
export const FIRST_EXIT_WAIT_MS = 250;

/** Longest wait between two attempts, in milliseconds. */
export const MAX_EXIT_WAIT_MS = 15_000;

/** Largest number of times the priority fee doubles over repeated attempts; the deployment's cap may end it earlier. */
export const MAX_FEE_DOUBLINGS = 5;

/** Returns the wait in milliseconds after `tries` consecutive attempts, 1 or more. */
export function exitWaitMs(tries: number): number {
  return Math.min(MAX_EXIT_WAIT_MS, FIRST_EXIT_WAIT_MS * 2 ** Math.min(tries - 1, 16));
}

/**
 * Returns the slippage limit of an exit's next order in basis points: the agent's own slippage at first, doubled after
 * every order that left part of the position open.
 */
export function exitLimitBps(slippageBps: number, attempts: number): number {
  return Math.min(MAX_EXIT_LIMIT_BPS, slippageBps * 2 ** Math.min(attempts, 16));
}

/** Returns the multiplier of the priority fee after `attempts` orders that left part of the position open. */
export function exitFeeFactor(attempts: number): bigint {
  return 2n ** BigInt(Math.min(attempts, MAX_FEE_DOUBLINGS));
}

/** Reasons that mean nothing is left to close; after every other reason the exit is tried again. */
const NOTHING_LEFT: ReadonlySet<DenialReason> = new Set([
  "nothing_to_close",
  "sub_account_missing",
  "market_unknown",
]);

/** Returns whether a denial ends an exit. */
export function endsExit(reason: DenialReason): boolean {
  return NOTHING_LEFT.has(reason);
}
