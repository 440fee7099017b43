import { type DenialReason, denied, type Denied } from "../../../domain/reasons.ts";
import type { OrderIntent } from "../../../domain/order/order.ts";
import type { AccountState } from "../../../domain/position.ts";
import type { PriceReading } from "../../../domain/order/risk.ts";
import type { CheckFigures, RiskCheck, RiskCheckName } from "../../../domain/risk-check.ts";
import type { PricedOrder } from "../../../venues/placed-order.ts";
import type { DecisionCause } from "../../store/orders/decision-cause.ts";
import type { DecisionFacts, SeenOrder } from "../../store/orders/decisions.ts";

/** Inputs and checks of one decision, filled in as they happen. */
export interface DecisionTrace {
  readonly checks: RiskCheck[];
  /** Null before it was read. */
  cause: DecisionCause | null;
  price: PriceReading | null;
  account: AccountState | null;
  intent: OrderIntent | null;
  /** Price limit and size encoded in the order; null before it was built. */
  built: Pick<PricedOrder, "worstPrice" | "baseSize"> | null;
}

/** Returns an empty trace. */
export function startTrace(): DecisionTrace {
  return { checks: [], cause: null, price: null, account: null, intent: null, built: null };
}

/** Records a check and returns its refusal when it failed. */
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

/** Returns the facts recorded for a decision; `reason` is null for an order that is sent. */
export function factsOf(
  trace: DecisionTrace,
  cause: DecisionCause,
  reason: string | null,
): DecisionFacts {
  const { checks, price, account, intent, built } = trace;
  return {
    cause,
    checks,
    price: price === null ? null : readingOf(price),
    account: account === null ? null : seen(account),
    order: intent === null ? null : orderOf(intent, built),
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

const orderOf = (intent: OrderIntent, built: DecisionTrace["built"]): SeenOrder => ({
  marketId: intent.market.marketId,
  side: intent.side,
  reduceOnly: intent.reduceOnly,
  baseSize: intent.baseSize,
  slippageBps: intent.slippageBps,
  referencePrice: intent.referencePrice,
  percentage: intent.percentage,
  built: built === null ? null : { worstPrice: built.worstPrice, baseSize: built.baseSize },
});
