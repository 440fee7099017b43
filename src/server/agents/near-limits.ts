import type { NearLimit } from "../../contract/trading-condition.ts";
import { formatDecimal, mulDiv } from "../../domain/amount.ts";
import { isNear, isReached, type LimitUse } from "../../domain/limit-use.ts";
import { orderUses } from "../../domain/risk.ts";
import {
  DAILY_LOSS_LIMIT_BPS,
  failureUse,
  lossUse,
  openRiskDay,
  type RiskLedger,
} from "../../domain/risk-ledger.ts";
import type { AccountSnapshot } from "../positions/account-reader.ts";
import type { SentByAgent } from "../store/count-sent-orders.ts";

/** Oldest reading of an account its loss is told from. */
const MAX_READING_AGE_MS = 60_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Everything an agent's limits follow from. */
export interface LimitFacts {
  readonly nowMs: number;
  readonly ledger: RiskLedger;
  readonly sent: SentByAgent;
  /** The account as it was last read for display; null while nobody looks at it. */
  readonly account: AccountSnapshot | null;
}

/** Returns the limits an agent is close to or at, by the same counts its orders are checked against. */
export function nearLimitsOf(facts: LimitFacts): NearLimit[] {
  const uses = [
    ...orderUses({
      ordersLastMinute: facts.sent.lastMinute,
      ordersLastHour: facts.sent.lastHour,
    }),
    failureUse(facts.ledger),
    ...lossUses(facts),
  ];
  return uses.filter(isNear).map((use) => presentUse(use, facts));
}

function lossUses({ nowMs, ledger, account }: LimitFacts): LimitUse[] {
  if (account === null || nowMs - account.readAtMs > MAX_READING_AGE_MS) return [];
  if (!account.state.subAccountExists) return [];
  return [lossUse(openRiskDay(ledger, nowMs, account.state), account.state)];
}

function presentUse(use: LimitUse, { nowMs, sent }: LimitFacts): NearLimit {
  const { limit, used, most } = use;
  const shown = { limit, isReached: isReached(use), used: `${used}`, most: `${most}` };
  switch (limit) {
    case "orders_a_minute":
      return { ...shown, ...easing(sent.oldestOfMinuteMs, MINUTE_MS) };
    case "orders_an_hour":
      return { ...shown, ...easing(sent.oldestOfHourMs, HOUR_MS) };
    case "failures":
      return shown;
    case "daily_loss": {
      const lost =
        most === 0n ? DAILY_LOSS_LIMIT_BPS : mulDiv(used, DAILY_LOSS_LIMIT_BPS, most, "down");
      const midnightMs = nowMs - (nowMs % DAY_MS);
      const percent = {
        used: formatDecimal(lost, 2),
        most: formatDecimal(DAILY_LOSS_LIMIT_BPS, 2),
      };
      return { ...shown, ...percent, ...easing(midnightMs, DAY_MS) };
    }
  }
}

const easing = (sinceMs: number | null, windowMs: number) =>
  sinceMs === null ? {} : { easesAt: new Date(sinceMs + windowMs).toISOString() };
