import type {
  AlertCondition,
  Comparison,
  Session,
} from "../../../../domain/condition/condition.ts";
import { indicatorOf } from "./operand-choices.ts";

/** Kind of a condition. */
export type ConditionKind = AlertCondition["kind"];

/** Default comparison, with a widely known indicator. */
const FIRST: Comparison = {
  left: indicatorOf("RSI"),
  is: "crosses-above",
  right: { kind: "number", value: 30 },
};

const NEXT: Comparison = {
  left: { kind: "price", field: "close" },
  is: "above",
  right: { ...indicatorOf("EMA"), parameters: [200] },
};

/** Default condition. */
export const FIRST_CONDITION: AlertCondition = { kind: "comparisons", all: [FIRST] };

/** Default session: Monday to Friday, 08:00 to 20:00 UTC. */
export const FIRST_SESSION: Session = { days: [1, 2, 3, 4, 5], fromUtc: "08:00", toUtc: "20:00" };

/** Returns a condition of another kind with default values. */
export function conditionOfKind(kind: ConditionKind): AlertCondition {
  switch (kind) {
    case "comparisons":
      return FIRST_CONDITION;
    case "every-bars":
      return { kind, bars: 4 };
    case "time-of-day":
      return { kind, atUtc: "12:00" };
  }
}

type Comparing = Extract<AlertCondition, { kind: "comparisons" }>;

export const withComparison = (
  condition: Comparing,
  index: number,
  comparison: Comparison,
): Comparing => ({ ...condition, all: condition.all.with(index, comparison) });

export const withoutComparison = (condition: Comparing, index: number): Comparing => ({
  ...condition,
  all: condition.all.filter((_each, at) => at !== index),
});

export const withNextComparison = (condition: Comparing): Comparing => ({
  ...condition,
  all: [...condition.all, condition.all.length === 0 ? FIRST : NEXT],
});

export function withSession(condition: Comparing, session: Session | null): Comparing {
  const { session: _before, ...rest } = condition;
  return session === null ? rest : { ...rest, session };
}

/** Returns the comparison with another relation. */
export function withRelation(comparison: Comparison, is: Comparison["is"]): Comparison {
  const { left } = comparison;
  if (is === "rises-for" || is === "falls-for") {
    return { left, is, bars: "bars" in comparison ? comparison.bars : 3 };
  }
  return { left, is, right: "right" in comparison ? comparison.right : FIRST_RIGHT };
}

const FIRST_RIGHT = { kind: "number", value: 0 } as const;
