import { mulDiv } from "./amount.ts";
import type { AccountState } from "./position.ts";
import type { TradingState } from "./trading-state.ts";

/** Failed orders in a row after which an agent is halted. */
export const MAX_CONSECUTIVE_FAILURES = 5;

/** Largest realised loss of a UTC day, in basis points of the portfolio at its start. */
export const DAILY_LOSS_LIMIT_BPS = 1_000n;

/** What an agent's earlier orders mean for its next: kept per agent, amounts in quote base units. */
export interface RiskLedger {
  /** Orders rejected or expired since the last fill. */
  readonly consecutiveFailures: number;
  /** UTC day like 2026-11-21, empty before the first order. */
  readonly day: string;
  readonly realizedAtDayStart: bigint;
  readonly portfolioAtDayStart: bigint;
}

/** The ledger of an agent that never traded, or was just turned on. */
export const EMPTY_RISK_LEDGER: RiskLedger = {
  consecutiveFailures: 0,
  day: "",
  realizedAtDayStart: 0n,
  portfolioAtDayStart: 0n,
};

/** Everything gained or lost for good so far: neither deposits nor open positions count. */
const realizedOf = (account: AccountState) =>
  account.portfolioValue -
  account.netDeposits -
  account.positions.reduce((sum, position) => sum + position.unrealizedPnl, 0n);

/** Returns the ledger with the day's starting figures taken when the day is new. `day` is the UTC date. */
export function openRiskDay(ledger: RiskLedger, day: string, account: AccountState): RiskLedger {
  if (ledger.day === day) return ledger;
  return {
    ...ledger,
    day,
    realizedAtDayStart: realizedOf(account),
    portfolioAtDayStart: account.portfolioValue,
  };
}

/** Returns the ledger after an order ended: a fill ends a row of failures, anything else extends it. */
export function recordOrderEnd(ledger: RiskLedger, wasFilled: boolean): RiskLedger {
  return { ...ledger, consecutiveFailures: wasFilled ? 0 : ledger.consecutiveFailures + 1 };
}

/** Says whether today's realised loss reached its limit. */
export function isLossLimitReached(ledger: RiskLedger, account: AccountState): boolean {
  const loss = ledger.realizedAtDayStart - realizedOf(account);
  const limit = mulDiv(ledger.portfolioAtDayStart, DAILY_LOSS_LIMIT_BPS, 10_000n, "down");
  return loss > 0n && loss >= limit;
}

/** Returns what the agent's own history allows. */
export function stateFromLedger(ledger: RiskLedger, account: AccountState): TradingState {
  if (ledger.consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) return "halted";
  return isLossLimitReached(ledger, account) ? "reducing" : "active";
}
