import { mulDiv } from "./amount.ts";
import { isReached, type LimitUse } from "./limit-use.ts";
import type { AccountState } from "./position.ts";

/** Failed orders in a row after which an agent only reduces its exposure. */
export const MAX_CONSECUTIVE_FAILURES = 5;

/** Largest realised loss of a UTC day, in basis points of the portfolio at its start. */
export const DAILY_LOSS_LIMIT_BPS = 1_000n;

/** What an agent's earlier orders mean for its next: kept per agent, amounts in quote base units. */
export interface RiskLedger {
  /** Orders rejected or expired since the last fill. */
  readonly consecutiveFailures: number;
  /** Unix milliseconds at which the failures in a row reached their limit; null below it. */
  readonly failingSinceMs: number | null;
  /** UTC day like 2026-11-21, empty before the first order. */
  readonly day: string;
  readonly realizedAtDayStart: bigint;
  readonly portfolioAtDayStart: bigint;
  /** Unix milliseconds at which the day's loss was first seen at its limit; null while it is not. */
  readonly lossSinceMs: number | null;
}

/** The ledger of an agent that never traded, or was just turned on. */
export const EMPTY_RISK_LEDGER: RiskLedger = {
  consecutiveFailures: 0,
  failingSinceMs: null,
  day: "",
  realizedAtDayStart: 0n,
  portfolioAtDayStart: 0n,
  lossSinceMs: null,
};

/** Everything gained or lost for good so far: neither deposits nor open positions count. */
const realizedOf = (account: AccountState) =>
  account.portfolioValue -
  account.netDeposits -
  account.positions.reduce((sum, position) => sum + position.unrealizedPnl, 0n);

/** Returns the ledger for a decision now: a new day's starting figures, and whether its loss is at the limit. */
export function openRiskDay(ledger: RiskLedger, nowMs: number, account: AccountState): RiskLedger {
  const day = utcDay(nowMs);
  const opened =
    ledger.day === day
      ? ledger
      : {
          ...ledger,
          day,
          realizedAtDayStart: realizedOf(account),
          portfolioAtDayStart: account.portfolioValue,
          lossSinceMs: null,
        };
  if (isReached(lossUse(opened, account)) === (opened.lossSinceMs !== null)) return opened;
  return { ...opened, lossSinceMs: opened.lossSinceMs === null ? nowMs : null };
}

/** Returns the ledger after an order ended: a fill ends a row of failures, anything else extends it. */
export function recordOrderEnd(ledger: RiskLedger, hasTraded: boolean, nowMs: number): RiskLedger {
  if (hasTraded) return { ...ledger, consecutiveFailures: 0, failingSinceMs: null };
  const consecutiveFailures = ledger.consecutiveFailures + 1;
  const isFailing = isReached(failureUse({ consecutiveFailures }));
  return {
    ...ledger,
    consecutiveFailures,
    failingSinceMs: isFailing ? (ledger.failingSinceMs ?? nowMs) : null,
  };
}

/** How much of today's realised loss is used up, in quote base units. Call with the day opened. */
export function lossUse(ledger: RiskLedger, account: AccountState): LimitUse {
  const loss = ledger.realizedAtDayStart - realizedOf(account);
  const most = mulDiv(ledger.portfolioAtDayStart, DAILY_LOSS_LIMIT_BPS, 10_000n, "down");
  return { limit: "daily_loss", used: loss > 0n ? loss : 0n, most };
}

/** How many of the failures in a row are used up. */
export function failureUse({
  consecutiveFailures,
}: Pick<RiskLedger, "consecutiveFailures">): LimitUse {
  return {
    limit: "failures",
    used: BigInt(consecutiveFailures),
    most: BigInt(MAX_CONSECUTIVE_FAILURES),
  };
}

/** Why an agent only reduces its exposure, by its own history. */
export type ReducingReason = "failures" | "loss_limit";

/** Returns why an agent's history lets it reduce only, and since when; null when it does not. */
export function reducingByHistory(
  ledger: RiskLedger,
  nowMs: number,
): { readonly reason: ReducingReason; readonly sinceMs: number } | null {
  if (isReached(failureUse(ledger))) {
    return { reason: "failures", sinceMs: ledger.failingSinceMs ?? nowMs };
  }
  if (ledger.lossSinceMs === null || ledger.day !== utcDay(nowMs)) return null;
  return { reason: "loss_limit", sinceMs: ledger.lossSinceMs };
}

/** The UTC date like 2026-11-21. */
const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
