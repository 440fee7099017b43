import type { NearLimit } from "../../contract/trading-condition.ts";
import { formatDecimal, mulDiv } from "../../domain/amount.ts";
import { isNear, isReached, type LimitUse } from "../../domain/limit-use.ts";
import { fallUse, lossesUse, tradesUse, type WorthsBetween } from "../../domain/owner-history.ts";
import type { OwnerLimits } from "../../domain/owner-limits.ts";
import { orderUses } from "../../domain/order/risk.ts";
import {
  failureUse,
  isOfToday,
  lossLimitBps,
  lossUse,
  openRiskDay,
  type RiskLedger,
} from "../../domain/risk-ledger.ts";
import type { AccountSnapshot } from "../positions/account-reader.ts";
import type { SentByAgent } from "../store/lanes/count-sent-orders.ts";

/** Maximum age of an account reading used for the loss, in milliseconds. */
const MAX_READING_AGE_MS = 60_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Inputs for an agent's limits. */
export interface LimitFacts {
  readonly nowMs: number;
  readonly ledger: RiskLedger;
  readonly limits: OwnerLimits;
  readonly sent: SentByAgent;
  /** Account as last read for display; null while nobody views it. */
  readonly account: AccountSnapshot | null;
  /** Account values recorded since the last decision; null without a drawdown limit. */
  readonly between: WorthsBetween | null;
}

/** Returns the limits an agent is near or at, computed from the same counts as the order checks. */
export function nearLimitsOf(facts: LimitFacts): NearLimit[] {
  const uses = [
    ...orderUses({
      ordersLastMinute: facts.sent.lastMinute,
      ordersLastHour: facts.sent.lastHour,
    }),
    failureUse(facts.ledger),
    ...ownerUses(facts),
    ...lossUses(facts),
  ];
  return uses.filter(isNear).map((use) => presentUse(use, facts));
}

function ownerUses({ nowMs, ledger, limits }: LimitFacts): LimitUse[] {
  const own = isOfToday(ledger, nowMs) ? ledger.own : { ...ledger.own, entriesToday: 0 };
  return [tradesUse(own, limits), lossesUse(own, limits)].flatMap((use) => use ?? []);
}

function lossUses({ nowMs, ledger, account, limits, between }: LimitFacts): LimitUse[] {
  if (account === null || nowMs - account.readAtMs > MAX_READING_AGE_MS) return [];
  const { state } = account;
  if (!state.subAccountExists) return [];
  const today = openRiskDay(ledger, nowMs, state, limits, between);
  const fall = fallUse(today.own, state, limits);
  return [lossUse(today, state, limits), ...(fall === null ? [] : [fall])];
}

function presentUse(use: LimitUse, { nowMs, sent, limits }: LimitFacts): NearLimit {
  const { limit, used, most } = use;
  const shown = { limit, isReached: isReached(use), used: `${used}`, most: `${most}` };
  switch (limit) {
    case "orders_a_minute":
      return { ...shown, ...easing(sent.oldestOfMinuteMs, MINUTE_MS) };
    case "orders_an_hour":
      return { ...shown, ...easing(sent.oldestOfHourMs, HOUR_MS) };
    case "failures":
    case "losses_in_a_row":
      return shown;
    case "trades_a_day":
      return { ...shown, ...untilMidnight(nowMs) };
    case "daily_loss":
      return { ...shown, ...percentOf(use, lossLimitBps(limits)), ...untilMidnight(nowMs) };
    case "fall":
      return { ...shown, ...percentOf(use, BigInt(limits.fallBps ?? 0)) };
  }
}

/** Returns the used amount in percent of the amount that the limit is a share of. */
function percentOf({ used, most }: LimitUse, limitBps: bigint) {
  const usedBps = most === 0n ? limitBps : mulDiv(used, limitBps, most, "down");
  return { used: formatDecimal(usedBps, 2), most: formatDecimal(limitBps, 2) };
}

const untilMidnight = (nowMs: number) => easing(nowMs - (nowMs % DAY_MS), DAY_MS);

const easing = (sinceMs: number | null, windowMs: number) =>
  sinceMs === null ? {} : { easesAt: new Date(sinceMs + windowMs).toISOString() };
