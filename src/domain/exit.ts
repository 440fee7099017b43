import { mulDiv } from "./amount.ts";
import { MAX_SLIPPAGE_BPS } from "./slippage.ts";
import type { DenialReason } from "./reasons.ts";

/** Origin of an exit: an alert, the owner, a reversal to the other side, or the position's plan. */
export const EXIT_ASKERS = ["alert", "owner", "reversal", "plan"] as const;

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

/** Doublings of the agent's slippage that a protective order's limit lies from its trigger: it has one attempt. */
const PROTECTIVE_DOUBLINGS = 2;

/** Returns how far the limit of a protective order lies from its trigger, in basis points. */
export const protectiveLimitBps = (slippageBps: number): number =>
  exitLimitBps(slippageBps, PROTECTIVE_DOUBLINGS);

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

/** Reasons that mean a part is closed as far as the venue closes it: what is left is below its smallest order. */
const TOO_SMALL: ReadonlySet<DenialReason> = new Set(["size_too_small", "below_minimum"]);

/** Returns whether a denial ends an exit of part of a position. */
export const endsPart = (reason: DenialReason): boolean =>
  endsExit(reason) || TOO_SMALL.has(reason);

/** Part of a position that an exit closes. */
export interface ExitPart {
  /** Percent of the position held when its first order is sent, 1 to 99; for the trade log where the goal is set before. */
  readonly portion: number;
  /** Null before the first order. Base units still to close, and base units that stay open whatever was filled. */
  readonly goal: { readonly left: bigint; readonly keep: bigint } | null;
}

/** Returns the base units of a position that its exit still has to close: never more than the part, never what stays. */
export function sizeToClose(part: ExitPart | null, held: bigint): bigint {
  if (part === null) return held;
  if (part.goal === null) return mulDiv(held, BigInt(part.portion), 100n, "down");
  const { left, keep } = part.goal;
  const above = held > keep ? held - keep : 0n;
  return left < above ? left : above;
}

/** Returns the part after an order for `ordered` base units of `held` traded `filled` of them. */
export function partAfter(
  part: ExitPart,
  { held, ordered, filled }: Readonly<Record<"held" | "ordered" | "filled", bigint>>,
): ExitPart {
  const { left, keep } = part.goal ?? { left: ordered, keep: held - ordered };
  // What the venue's step leaves of a filled order is not ordered again
  return { ...part, goal: { left: filled >= ordered ? 0n : left - filled, keep } };
}
