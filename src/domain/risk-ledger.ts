import { mulDiv } from "./amount.ts";
import { isReached, type LimitUse } from "./limit-use.ts";
import {
  afterReading,
  afterWorths,
  EMPTY_OWNER_HISTORY,
  lossesUse,
  type OwnerHistory,
  realizedOf,
  tradesUse,
  type WorthsBetween,
  withoutEntry,
} from "./owner-history.ts";
import type { OwnerLimits } from "./owner-limits.ts";
import type { AccountState } from "./position.ts";

/** Consecutive failed orders after which an agent may only reduce its exposure. */
export const MAX_CONSECUTIVE_FAILURES = 5;

/** Largest realised loss of a UTC day, in basis points of the portfolio value at its start. */
export const DAILY_LOSS_LIMIT_BPS = 1_000n;

/** Per-agent history that the risk checks read; amounts in quote base units. */
export interface RiskLedger {
  /** Orders rejected or expired since the last fill. */
  readonly consecutiveFailures: number;
  /** Unix milliseconds at which the consecutive failures reached their limit; null below it. */
  readonly failingSinceMs: number | null;
  /** UTC day like 2026-11-21, empty before the first order. */
  readonly day: string;
  readonly realizedAtDayStart: bigint;
  readonly portfolioAtDayStart: bigint;
  /** Unix milliseconds at which the daily loss was first seen at its limit; null below it. */
  readonly lossSinceMs: number | null;
  readonly own: OwnerHistory;
}

/** The ledger of an agent that never traded, or was just turned on. */
export const EMPTY_RISK_LEDGER: RiskLedger = {
  consecutiveFailures: 0,
  failingSinceMs: null,
  day: "",
  realizedAtDayStart: 0n,
  portfolioAtDayStart: 0n,
  lossSinceMs: null,
  own: EMPTY_OWNER_HISTORY,
};

/**
 * Returns the ledger for a decision now: starts a new day's figures where due and marks the limits that are reached.
 * `between` holds the account values recorded since the last decision; null where none limits the agent.
 */
export function openRiskDay(
  ledger: RiskLedger,
  nowMs: number,
  account: AccountState,
  limits: OwnerLimits,
  between: WorthsBetween | null = null,
): RiskLedger {
  const today = openDay(ledger, nowMs, account);
  const seen = between === null ? today.own : afterWorths(today.own, nowMs, account, between);
  const own = afterReading(seen, nowMs, account, limits);
  const opened = own === today.own ? today : { ...today, own };
  const isLost = isReached(lossUse(opened, account, limits));
  if (isLost === (opened.lossSinceMs !== null)) return opened;
  return { ...opened, lossSinceMs: isLost ? nowMs : null };
}

function openDay(ledger: RiskLedger, nowMs: number, account: AccountState): RiskLedger {
  const day = utcDay(nowMs);
  if (ledger.day === day) return ledger;
  return {
    ...ledger,
    day,
    realizedAtDayStart: realizedOf(account),
    portfolioAtDayStart: account.portfolioValue,
    lossSinceMs: null,
    own: { ...ledger.own, entriesToday: 0 },
  };
}

/** Returns the ledger after an order ended: a fill resets the consecutive failures, any other end adds one. */
export function recordOrderEnd(
  ledger: RiskLedger,
  { hasTraded, isEntry }: { readonly hasTraded: boolean; readonly isEntry: boolean },
  nowMs: number,
): RiskLedger {
  if (hasTraded) return { ...ledger, consecutiveFailures: 0, failingSinceMs: null };
  const consecutiveFailures = ledger.consecutiveFailures + 1;
  const isFailing = isReached(failureUse({ consecutiveFailures }));
  return {
    ...ledger,
    consecutiveFailures,
    failingSinceMs: isFailing ? (ledger.failingSinceMs ?? nowMs) : null,
    own: isEntry ? withoutEntry(ledger.own) : ledger.own,
  };
}

/**
 * Returns the share of the day's opening value that may be lost, in basis points: an owner's limit can only tighten the
 * general one.
 */
export const lossLimitBps = ({ dayLossBps }: OwnerLimits): bigint =>
  dayLossBps === null || BigInt(dayLossBps) > DAILY_LOSS_LIMIT_BPS
    ? DAILY_LOSS_LIMIT_BPS
    : BigInt(dayLossBps);

/** Returns the usage of the daily loss limit in quote base units. Call `openRiskDay` first. */
export function lossUse(ledger: RiskLedger, account: AccountState, limits: OwnerLimits): LimitUse {
  const loss = ledger.realizedAtDayStart - realizedOf(account);
  const most = mulDiv(ledger.portfolioAtDayStart, lossLimitBps(limits), 10_000n, "down");
  return { limit: "daily_loss", used: loss > 0n ? loss : 0n, most };
}

/** Returns the usage of the limit on consecutive failures. */
export function failureUse({
  consecutiveFailures,
}: Pick<RiskLedger, "consecutiveFailures">): LimitUse {
  return {
    limit: "failures",
    used: BigInt(consecutiveFailures),
    most: BigInt(MAX_CONSECUTIVE_FAILURES),
  };
}

/** Reasons of the agent's own history that restrict it to reducing its exposure. */
const REDUCING_REASONS = [
  "failures",
  "loss_limit",
  "own_loss_limit",
  "own_fall_limit",
  "own_losses_limit",
  "own_trades_limit",
] as const;

export type ReducingReason = (typeof REDUCING_REASONS)[number];

/** Returns whether a reason is one of the agent's own history that restricts it to reducing. */
export const isReducingReason = (reason: string): reason is ReducingReason =>
  REDUCING_REASONS.some((known) => known === reason);

interface Reducing {
  readonly reason: ReducingReason;
  readonly sinceMs: number;
}

/** Returns why the agent's history restricts it to reducing, and since when; null when it does not. */
export function reducingByHistory(
  ledger: RiskLedger,
  nowMs: number,
  limits: OwnerLimits,
): Reducing | null {
  if (isReached(failureUse(ledger))) {
    return { reason: "failures", sinceMs: ledger.failingSinceMs ?? nowMs };
  }
  const isToday = isOfToday(ledger, nowMs);
  if (ledger.lossSinceMs !== null && isToday) {
    const isOwn = lossLimitBps(limits) < DAILY_LOSS_LIMIT_BPS;
    return { reason: isOwn ? "own_loss_limit" : "loss_limit", sinceMs: ledger.lossSinceMs };
  }
  return reducingByOwner(ledger.own, limits, nowMs, isToday);
}

function reducingByOwner(
  own: OwnerHistory,
  limits: OwnerLimits,
  nowMs: number,
  isToday: boolean,
): Reducing | null {
  if (own.fallSinceMs !== null && limits.fallBps !== null) {
    return { reason: "own_fall_limit", sinceMs: own.fallSinceMs };
  }
  const losses = lossesUse(own, limits);
  if (losses !== null && isReached(losses)) {
    return { reason: "own_losses_limit", sinceMs: own.lostAtMs ?? nowMs };
  }
  const trades = tradesUse(own, limits);
  if (trades === null || !isReached(trades) || !isToday) return null;
  return { reason: "own_trades_limit", sinceMs: nowMs - (nowMs % DAY_MS) };
}

const DAY_MS = 86_400_000;

/** Returns whether the ledger's day is today (UTC). */
export const isOfToday = ({ day }: RiskLedger, nowMs: number): boolean => day === utcDay(nowMs);

/** Returns the UTC date, for instance 2026-11-21. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
