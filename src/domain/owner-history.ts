import { mulDiv } from "./amount.ts";
import { isReached, type LimitUse } from "./limit-use.ts";
import type { OwnerLimits } from "./owner-limits.ts";
import type { AccountState } from "./position.ts";

/** What an owner's limits are held against, kept per agent; amounts in quote base units. */
export interface OwnerHistory {
  /** Entries sent on the ledger's day that traded or may still. */
  readonly entriesToday: number;
  readonly lossesInRow: number;
  /** Unix milliseconds at which the newest of them was seen; null without one. */
  readonly lostAtMs: number | null;
  /** What was gained or lost for good before the newest entry; null once its trade was judged. */
  readonly realizedBeforeEntry: bigint | null;
  /** The account's highest value, moved with every flow; null before the first look. */
  readonly peak: bigint | null;
  /** Net deposits at the last look. */
  readonly netDepositsSeen: bigint;
  /** Unix milliseconds up to which values between two orders are counted into the peak; null before the first look. */
  readonly peakSeenMs: number | null;
  /** Unix milliseconds at which the fall from the peak reached its limit; it holds until the owner resumes. */
  readonly fallSinceMs: number | null;
}

/** The history of an agent that never traded. */
export const EMPTY_OWNER_HISTORY: OwnerHistory = {
  entriesToday: 0,
  lossesInRow: 0,
  lostAtMs: null,
  realizedBeforeEntry: null,
  peak: null,
  netDepositsSeen: 0n,
  peakSeenMs: null,
  fallSinceMs: null,
};

/** Everything gained or lost for good so far: neither deposits nor open positions count. */
export const realizedOf = (account: AccountState): bigint =>
  account.portfolioValue -
  account.netDeposits -
  account.positions.reduce((sum, position) => sum + position.unrealizedPnl, 0n);

/** Returns the history after a look at the account; the same object when nothing is new. */
export function afterLook(
  history: OwnerHistory,
  nowMs: number,
  account: AccountState,
  limits: OwnerLimits,
): OwnerHistory {
  return afterFall(afterPeak(afterTrade(history, nowMs, account), account), nowMs, account, limits);
}

/** What the book said an account was worth, and what had been paid in by then. */
export interface RecordedWorth {
  readonly value: bigint;
  readonly netFlow: bigint;
}

/** Worths recorded since the last look, oldest first, and the one before them. */
export interface WorthsBetween {
  readonly before: RecordedWorth | null;
  readonly worths: readonly RecordedWorth[];
}

/**
 * Returns the history with the highest value between the last look and now, before the look of now is taken.
 *
 * The book and the venue agree in what was gained, not in what is counted as paid in. Where money moved and the book does
 * not show the same movement yet, its worths cannot be told from the flow and none of them counts.
 */
export function afterWorths(
  history: OwnerHistory,
  nowMs: number,
  { netDeposits }: AccountState,
  { before, worths }: WorthsBetween,
): OwnerHistory {
  const seen = { ...history, peakSeenMs: nowMs };
  const last = worths.at(-1);
  if (last === undefined) return seen;
  const moved = netDeposits - history.netDepositsSeen;
  const booked = last.netFlow - (before ?? last).netFlow;
  if (moved !== 0n && moved !== booked) return seen;
  return worths.reduce<OwnerHistory>((each, { value, netFlow }) => {
    const paidIn = moved === 0n ? netDeposits : netDeposits - (last.netFlow - netFlow);
    const portfolioValue = paidIn + value - netFlow;
    return portfolioValue <= 0n ? each : afterPeak(each, { portfolioValue, netDeposits: paidIn });
  }, seen);
}

/** Judges the newest trade once nothing of it is open: what it realised, with its fees and funding. */
function afterTrade(history: OwnerHistory, nowMs: number, account: AccountState): OwnerHistory {
  const { realizedBeforeEntry } = history;
  if (realizedBeforeEntry === null || account.positions.length > 0) return history;
  const result = realizedOf(account) - realizedBeforeEntry;
  const judged = { ...history, realizedBeforeEntry: null };
  if (result > 0n) return { ...judged, lossesInRow: 0, lostAtMs: null };
  if (result === 0n) return judged;
  return { ...judged, lossesInRow: history.lossesInRow + 1, lostAtMs: nowMs };
}

/** Money that came in or went out moves the peak with what was there, so that no flow is a gain or a fall. */
function afterPeak(
  history: OwnerHistory,
  account: Pick<AccountState, "portfolioValue" | "netDeposits">,
): OwnerHistory {
  const { portfolioValue: value, netDeposits } = account;
  const moved = movedPeak(history, account);
  const peak = moved === null || moved < value ? value : moved;
  if (peak === history.peak && netDeposits === history.netDepositsSeen) return history;
  return { ...history, peak, netDepositsSeen: netDeposits };
}

function movedPeak(
  { peak, netDepositsSeen }: OwnerHistory,
  { portfolioValue, netDeposits }: Pick<AccountState, "portfolioValue" | "netDeposits">,
): bigint | null {
  const before = portfolioValue - (netDeposits - netDepositsSeen);
  if (peak === null || netDeposits === netDepositsSeen) return peak;
  return before <= 0n || portfolioValue <= 0n ? null : mulDiv(peak, portfolioValue, before, "down");
}

function afterFall(
  history: OwnerHistory,
  nowMs: number,
  account: AccountState,
  limits: OwnerLimits,
): OwnerHistory {
  const use = fallUse(history, account, limits);
  if (use === null)
    return history.fallSinceMs === null ? history : { ...history, fallSinceMs: null };
  if (history.fallSinceMs !== null || !isReached(use)) return history;
  return { ...history, fallSinceMs: nowMs };
}

/** Returns the history with an entry that is about to be sent from this account. */
export const withEntry = (history: OwnerHistory, account: AccountState): OwnerHistory => ({
  ...history,
  entriesToday: history.entriesToday + 1,
  realizedBeforeEntry: realizedOf(account),
});

/** Returns the history without an entry that ended and traded nothing. */
export const withoutEntry = (history: OwnerHistory): OwnerHistory => ({
  ...history,
  entriesToday: Math.max(0, history.entriesToday - 1),
});

/** Returns the history as it is when the owner lets the agent go on: losses and the fall are counted from now. */
export const resumed = (history: OwnerHistory, nowMs: number): OwnerHistory => ({
  ...history,
  peakSeenMs: nowMs,
  lossesInRow: 0,
  lostAtMs: null,
  peak: null,
  fallSinceMs: null,
});

/** How far the account is below its peak, in quote base units; null without such a limit. */
export function fallUse(
  { peak, fallSinceMs }: OwnerHistory,
  account: AccountState,
  { fallBps }: OwnerLimits,
): LimitUse | null {
  if (fallBps === null || peak === null) return null;
  const fall = peak - account.portfolioValue;
  const most = mulDiv(peak, BigInt(fallBps), 10_000n, "down");
  const used = fall > 0n ? fall : 0n;
  // Once reached it holds: what an open position won back since does not lift it
  return { limit: "fall", used: fallSinceMs === null || used > most ? used : most, most };
}

/** How many of the losses in a row are used up; null without such a limit. */
export function lossesUse(
  { lossesInRow }: OwnerHistory,
  { lossesInRow: most }: OwnerLimits,
): LimitUse | null {
  return most === null
    ? null
    : { limit: "losses_in_a_row", used: BigInt(lossesInRow), most: BigInt(most) };
}

/** How many of the day's entries are used up; null without such a limit. Call with the day opened. */
export function tradesUse(
  { entriesToday }: OwnerHistory,
  { tradesPerDay }: OwnerLimits,
): LimitUse | null {
  return tradesPerDay === null
    ? null
    : { limit: "trades_a_day", used: BigInt(entriesToday), most: BigInt(tradesPerDay) };
}
