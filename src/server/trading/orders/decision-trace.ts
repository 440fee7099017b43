import { type DenialReason, denied, type Denied } from "../../../domain/denial.ts";
import type { OrderIntent } from "../../../domain/order/order.ts";
import type { AccountState } from "../../../domain/position.ts";
import type { PriceReading } from "../../../domain/risk.ts";
import type { CheckFigures, RiskCheck, RiskCheckName } from "../../../domain/risk-check.ts";
import type { DecisionCause } from "../../store/decision-cause.ts";
import type { DecisionFacts, SeenOrder } from "../../store/decisions.ts";

/** What was read and checked on the way to one decision, filled in as it happens. */
export interface DecisionTrace {
  readonly checks: RiskCheck[];
  price: PriceReading | null;
  account: AccountState | null;
  intent: OrderIntent | null;
  /** Worst price the order's bytes accept; null before they were built. */
  worstPrice: bigint | null;
}

/** Returns the trace of a decision before anything is known. */
export function startTrace(): DecisionTrace {
  return { checks: [], price: null, account: null, intent: null, worstPrice: null };
}

/** Notes a check and returns the refusal when it failed. */
export function noteCheck(
  trace: DecisionTrace,
  name: RiskCheckName,
  refusal: DenialReason | null,
  reason: DenialReason,
  figures: CheckFigures | null = null,
): Denied | null {
  trace.checks.push({ name, reason: refusal ?? reason, hasPassed: refusal === null, figures });
  return refusal === null ? null : denied(refusal);
}

/** Returns what is recorded of a decision; `reason` is null for an order that is sent. */
export function factsOf(
  trace: DecisionTrace,
  cause: DecisionCause,
  reason: string | null,
): DecisionFacts {
  const { checks, price, account, intent, worstPrice } = trace;
  return {
    cause,
    checks,
    price: price === null ? null : readingOf(price),
    account: account === null ? null : seen(account),
    order: intent === null ? null : orderOf(intent, worstPrice),
    reason,
  };
}

const readingOf = ({ price, confidence, publishedAtMs }: PriceReading): PriceReading => ({
  price,
  confidence,
  publishedAtMs,
});

const seen = ({ freeCollateral, portfolioValue, health, positions }: AccountState) => ({
  freeCollateral,
  portfolioValue,
  health,
  positions,
});

const orderOf = (intent: OrderIntent, worstPrice: bigint | null): SeenOrder => ({
  marketId: intent.market.marketId,
  side: intent.side,
  reduceOnly: intent.reduceOnly,
  baseSize: intent.baseSize,
  slippageBps: intent.slippageBps,
  referencePrice: intent.referencePrice,
  percentage: intent.percentage,
  worstPrice,
});
