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
      fc.constantFrom(28, 60, 1_440),
      (conditions, minutes) => {
        expect(longestWarmUp(conditions, minutes)).toBeLessThanOrEqual(
          evaluationCost(conditions).bars,
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

it("accepts a hundred plain alerts, and describes what is too much", () => {
  const plain = Array.from({ length: 100 }, () => alertWith(4, 20));
  expect(evaluationFault(plain)).toBeNull();
  const dear = Array.from({ length: 100 }, () => alertWith(4, 500));
  const { bars, comparisons } = evaluationCost(dear);
  expect(bars * comparisons).toBeGreaterThan(MAX_EVALUATION);
  expect(evaluationFault(dear)).toBe(
    "All alerts together have 400 comparisons, and the longest needs 4,009 bars: with it at most 62. Use fewer comparisons or shorter periods.",
  );
  expect(evaluationFault([...dear.slice(0, 15), alertWith(2, 500)])).toBeNull();
  expect(evaluationFault([...dear.slice(0, 15), alertWith(3, 500)])).not.toBeNull();
});
