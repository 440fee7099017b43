import fc from "fast-check";
import { expect, it } from "vitest";
import { scaleFreeCondition } from "../../test/random-conditions.ts";
import type { AlertCondition, Operand } from "../domain/condition/condition.ts";
import {
  evaluationCost,
  evaluationFault,
  MAX_EVALUATION,
} from "../domain/condition/evaluation-bound.ts";
import { longestWarmUp } from "./warm-up.ts";

const average = (period: number): Operand => ({
  kind: "indicator",
  name: "SMA",
  output: "value",
  parameters: [period],
});

const alertWith = (comparisons: number, period: number): AlertCondition => ({
  kind: "comparisons",
  all: Array.from({ length: comparisons }, () => ({
    left: { kind: "price", field: "close" },
    is: "above",
    right: average(period),
  })),
});

it("is never longer than the bound on an agent's conditions assumes", () => {
  fc.assert(
    fc.property(
      fc.array(scaleFreeCondition, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(30, 60),
      (conditions, minutes) => {
        expect(longestWarmUp(conditions, minutes)).toBeLessThanOrEqual(
          evaluationCost(conditions, minutes).bars,
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

it("accepts a hundred plain alerts, and describes what is too much", () => {
  const plain = Array.from({ length: 100 }, () => alertWith(4, 20));
  expect(evaluationFault(plain, 60)).toBeNull();
  const dear = Array.from({ length: 100 }, () => alertWith(4, 500));
  const { bars, comparisons } = evaluationCost(dear, 60);
  expect(bars * comparisons).toBeGreaterThan(MAX_EVALUATION);
  expect(evaluationFault(dear, 60)).toBe(
    "All alerts together have 400 comparisons, and the longest needs 4,009 bars: with it at most 62. Use fewer comparisons or shorter periods.",
  );
  expect(evaluationFault([...dear.slice(0, 15), alertWith(2, 500)], 60)).toBeNull();
  expect(evaluationFault([...dear.slice(0, 15), alertWith(3, 500)], 60)).not.toBeNull();
});

it("refuses a comparison that needs more of the agent's bars than a server reads", () => {
  const daily = (period: number): AlertCondition => ({
    kind: "comparisons",
    all: [
      {
        left: { kind: "price", field: "close" },
        is: "above",
        right: { ...average(period), on: { interval: "1d" } } as Operand,
      },
    ],
  });
  expect(evaluationFault([daily(200)], 60)).toBeNull();
  expect(evaluationFault([daily(210)], 60)).toBe(
    "The longest comparison needs 40,584 bars of the agent's interval: at most 40,000. Use a shorter period, or an interval nearer to the agent's.",
  );
  expect(evaluationFault([daily(210)], 120)).toBeNull();
  expect(evaluationFault([daily(20)], 32)).toBeNull();
  expect(evaluationFault([daily(30)], 32)).not.toBeNull();
});
