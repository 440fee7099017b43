import type { AccountState } from "../../../domain/position.ts";
import type { PriceReading } from "../../../domain/order/risk.ts";
import type { RiskCheck } from "../../../domain/risk-check.ts";
import type { DecidedIntent } from "./orders.ts";
import type { DecisionCause } from "./decision-cause.ts";

/** The account state read for a decision. */
export type SeenAccount = Pick<
  AccountState,
  "freeCollateral" | "portfolioValue" | "health" | "positions"
>;

/** The resulting order. Prices in quote units with six decimals. */
export interface SeenOrder extends Omit<DecidedIntent, "isLimited"> {
  readonly referencePrice: bigint;
  readonly percentage: number;
  /** Price limit and size encoded in the order; null before it was built. */
  readonly built: { readonly worstPrice: bigint; readonly baseSize: bigint } | null;
}

/** All inputs of the decision on an order, at the time of the decision. */
export interface DecisionFacts {
  readonly cause: DecisionCause;
  readonly checks: readonly RiskCheck[];
  readonly price: PriceReading | null;
  readonly account: SeenAccount | null;
  readonly order: SeenOrder | null;
  /** Reason why it was not sent; null when it was. */
  readonly reason: string | null;
}
