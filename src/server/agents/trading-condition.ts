import type { TradingCondition } from "../../contract/trading-condition.ts";
import type { OwnerLimits } from "../../domain/owner-limits.ts";
import { REASONS, reasonWhat } from "../../domain/reasons.ts";
import {
  type ReducingReason,
  reducingByHistory,
  type RiskLedger,
} from "../../domain/risk-ledger.ts";
import { formatSlippagePercent } from "../../domain/slippage.ts";
import type { TradingState } from "../../domain/trading-state.ts";
import type { ExitRecord } from "../store/orders/exits.ts";
import type { ForeignTrade } from "../store/reconcile/foreign-powers.ts";

/** Inputs for the trading condition. */
export interface ConditionFacts {
  readonly nowMs: number;
  /** Trading allowed by the operator. */
  readonly operator: TradingState;
  readonly autoTrade: "on" | "stopping" | "off";
  readonly ledger: RiskLedger;
  readonly limits: OwnerLimits;
  readonly exits: readonly ExitRecord[];
  /** Trade that was not made here and that the owner has not decided on; null without one. */
  readonly foreignTrade: ForeignTrade | null;
  /** Why the agent's own conditions cannot be evaluated; null when they can or it has none. */
  readonly noCandles: { readonly text: string; readonly sinceMs: number } | null;
}

/** Returns the restriction on an agent's trading; null when there is none or the agent is off. */
export function tradingConditionOf(facts: ConditionFacts): TradingCondition | null {
  const { operator, exits } = facts;
  const shown = { exits: exits.map(presentExit) };
  if (facts.foreignTrade !== null) {
    return {
      state: "reducing",
      reason:
        "This agent's money was traded with in a transaction that was not made here. If it was not you, its trading key is stolen: revoke it now.",
      since: new Date(facts.foreignTrade.sinceMs).toISOString(),
      endsWhen:
        "It ends when you revoke the key, or turn Auto-Trade off and on, which says that it was you.",
      mayBeStolen: true,
      ...shown,
    };
  }
  const isTrading = facts.autoTrade !== "off";
  if (operator === "halted" && (isTrading || exits.length > 0)) {
    return {
      state: "halted",
      reason: REASONS.trading_halted.what,
      endsWhen: REASONS.trading_halted.todo,
      ...shown,
    };
  }
  const [first] = exits;
  if (first !== undefined) return { ...exiting(first), ...shown };
  if (!isTrading) return null;
  if (operator === "reducing") {
    const { what, todo } = REASONS.reducing_only;
    return { state: "reducing", reason: what, endsWhen: todo, ...shown };
  }
  const reducing = reducingByHistory(facts.ledger, facts.nowMs, facts.limits);
  if (reducing !== null) {
    return {
      state: "reducing",
      reason: REASONS[reducing.reason].what,
      since: new Date(reducing.sinceMs).toISOString(),
      endsWhen: REASONS[reducing.reason].todo,
      ...(RESUMABLE.has(reducing.reason) ? { canResume: true as const } : {}),
      ...shown,
    };
  }
  if (facts.noCandles === null) return null;
  return {
    state: "no_candles",
    reason: `The agent's own conditions are not evaluated. ${facts.noCandles.text}`,
    since: new Date(facts.noCandles.sinceMs).toISOString(),
    endsWhen:
      "It ends by itself when the candles are right again. Alerts from outside still count.",
    ...shown,
  };
}

function exiting({ side, marketId, part, askedAtMs }: ExitRecord) {
  const what = `The ${side} position in ${marketId}`;
  const words =
    part === null
      ? {
          reason: `${what} is being closed.`,
          endsWhen: "It ends when nothing is left of it, or when you stop closing.",
        }
      : {
          reason: `${what} is being reduced: ${part.portion}% of it is being closed.`,
          endsWhen: "It ends when that part is closed, or when you stop closing.",
        };
  return { state: "exiting" as const, since: new Date(askedAtMs).toISOString(), ...words };
}

/** Restrictions that only the owner can lift. */
const RESUMABLE: ReadonlySet<ReducingReason> = new Set(["own_fall_limit", "own_losses_limit"]);

const presentExit = (exit: ExitRecord): TradingCondition["exits"][number] => ({
  market: exit.marketId,
  side: exit.side,
  ...(exit.part !== null && { portion: exit.part.portion }),
  askedAt: new Date(exit.askedAtMs).toISOString(),
  askedBy: exit.askedBy,
  ...(exit.planEnd !== null && { planEnd: exit.planEnd }),
  attempts: exit.attempts,
  nextAttemptAt: new Date(exit.nextAttemptAtMs).toISOString(),
  ...(exit.lastReason === null ? {} : { lastReason: reasonWhat(exit.lastReason) }),
  limitPercent: formatSlippagePercent(exit.limitBps),
});
