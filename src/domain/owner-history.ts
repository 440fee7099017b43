import { mulDiv } from "./amount.ts";
import { isReached, type LimitUse } from "./limit-use.ts";
import type { OwnerLimits } from "./owner-limits.ts";
import type { AccountState } from "./position.ts";

/** Per-agent history that the owner's limits are checked against; amounts in quote base units. */
export interface OwnerHistory {
  /** Entries sent on the ledger's day that traded or still may. */
  readonly entriesToday: number;
  readonly lossesInRow: number;
  /** Unix milliseconds at which the newest loss was seen; null without one. */
  readonly lostAtMs: number | null;
  /** Realised PnL before the newest entry; null once its trade has been evaluated. */
  readonly realizedBeforeEntry: bigint | null;
  /** Highest value of the account, adjusted by every deposit and withdrawal; null before the first reading. */
  readonly peak: bigint | null;
  /** Net deposits at the last reading. */
  readonly netDepositsSeen: bigint;
  /** Unix milliseconds up to which recorded values are included in the peak; null before the first reading. */
  readonly peakSeenMs: number | null;
  /**
   * Unix milliseconds at which the drawdown from the peak reached its limit; it holds until the owner resumes the
   * agent.
   */
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

/** Total realised PnL: neither deposits nor open positions count. */
export const realizedOf = (account: AccountState): bigint =>
  account.portfolioValue -
  account.netDeposits -
  account.positions.reduce((sum, position) => sum + position.unrealizedPnl, 0n);

/** Returns the history after a reading of the account; the same object when nothing changed. */
export function afterReading(
  history: OwnerHistory,
  nowMs: number,
  account: AccountState,
  limits: OwnerLimits,
): OwnerHistory {
  return afterFall(afterPeak(afterTrade(history, nowMs, account), account), nowMs, account, limits);
}

/** A recorded account value with the net deposits until then, quote base units. */
export interface RecordedWorth {
  readonly value: bigint;
  readonly netFlow: bigint;
}

/** Interval of recorded account values between fills and flows, in milliseconds. */
const WORTH_EVERY_MS = 3_600_000;

/** Returns whether an account value is to be recorded without a fill or flow; times are Unix milliseconds. */
export const isWorthDue = (lastAtMs: number | null, nowMs: number): boolean =>
  lastAtMs === null || nowMs - lastAtMs >= WORTH_EVERY_MS;

/** Account values recorded since the last reading, oldest first, and the one before them. */
export interface WorthsBetween {
  readonly before: RecordedWorth | null;
  readonly worths: readonly RecordedWorth[];
}

/**
 * Returns the history with its peak raised to the highest value recorded since the last reading, before the present
 * reading is applied.
 *
 * The ledger and the venue agree on gains but not on what counts as a deposit. Where the venue shows a flow that the
 * ledger does not show yet, recorded values cannot be separated from the flow and are ignored.
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

/** Evaluates the newest trade once its position is closed: its realised PnL with fees and funding. */
function afterTrade(history: OwnerHistory, nowMs: number, account: AccountState): OwnerHistory {
  const { realizedBeforeEntry } = history;
  if (realizedBeforeEntry === null || account.positions.length > 0) return history;
  const result = realizedOf(account) - realizedBeforeEntry;
  const judged = { ...history, realizedBeforeEntry: null };
  if (result > 0n) return { ...judged, lossesInRow: 0, lostAtMs: null };
  if (result === 0n) return judged;
  return { ...judged, lossesInRow: history.lossesInRow + 1, lostAtMs: nowMs };
}

/** Deposits and withdrawals scale the peak with the value, so that they count neither as a gain nor as a drawdown. */
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

/** Returns the history after the owner resumes the agent: losses and the drawdown are counted from now. */
export const resumed = (history: OwnerHistory, nowMs: number): OwnerHistory => ({
  ...history,
  peakSeenMs: nowMs,
  lossesInRow: 0,
  lostAtMs: null,
  peak: null,
  fallSinceMs: null,
});

/** Returns the account's drawdown from its peak in quote base units; null without such a limit. */
export function fallUse(
  { peak, fallSinceMs }: OwnerHistory,
  account: AccountState,
  { fallBps }: OwnerLimits,
): LimitUse | null {
  if (fallBps === null || peak === null) return null;
  const fall = peak - account.portfolioValue;
  const most = mulDiv(peak, BigInt(fallBps), 10_000n, "down");
  const used = fall > 0n ? fall : 0n;
  // Once reached the limit holds: a later gain of an open position does not lift it
  return { limit: "fall", used: fallSinceMs === null || used > most ? used : most, most };
}

/** Returns the usage of the limit on consecutive losses; null without such a limit. */
export function lossesUse(
  { lossesInRow }: OwnerHistory,
  { lossesInRow: most }: OwnerLimits,
): LimitUse | null {
  return most === null
    ? null
    : { limit: "losses_in_a_row", used: BigInt(lossesInRow), most: BigInt(most) };
}

/** Returns the usage of the daily limit on entries; null without such a limit. Call `openRiskDay` first. */
export function tradesUse(
  { entriesToday }: OwnerHistory,
  { tradesPerDay }: OwnerLimits,
): LimitUse | null {
  return tradesPerDay === null
    ? null
    : { limit: "trades_a_day", used: BigInt(entriesToday), most: BigInt(tradesPerDay) };
}
