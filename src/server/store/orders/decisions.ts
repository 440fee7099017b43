import type { OrderId } from "../../../domain/ids.ts";
import type { AccountState } from "../../../domain/position.ts";
import type { PriceReading } from "../../../domain/order/risk.ts";
import type { RiskCheck } from "../../../domain/risk-check.ts";
import type { DecidedIntent } from "./orders.ts";
import type { DecisionCause } from "./decision-cause.ts";
import type { Statement } from "../postgres/statement.ts";

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

/** A decision to store, with its consequences. */
export interface NewDecision {
  readonly atMs: number;
  readonly facts: DecisionFacts;
}

/**
 * Takes rule, time and facts from the given parameter on, and an order from `source`; a repeated decision on an order
 * overwrites its row.
 */
export const INSERT_DECISION = (first: number, source: string): string =>
  `insert into decisions (order_id, agent_id, rule_id, decided_at, facts)
    select id, agent_id, $${first}::text, $${first + 1}::timestamptz, $${first + 2}::jsonb from ${source}
    on conflict (order_id) do update
    set rule_id = excluded.rule_id, decided_at = excluded.decided_at, facts = excluded.facts`;

export const decisionValues = ({ atMs, facts }: NewDecision): unknown[] => [
  facts.cause.ruleId,
  new Date(atMs),
  toFactsJson(facts),
];

export const insertDecision = (orderId: OrderId, decision: NewDecision): Statement => ({
  name: "insert-decision",
  text: INSERT_DECISION(2, "orders where id = $1"),
  values: [orderId, ...decisionValues(decision)],
});

/** JSON numbers cannot carry a u64, so amounts are text. */
const toFactsJson = (facts: DecisionFacts): string =>
  JSON.stringify(facts, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
