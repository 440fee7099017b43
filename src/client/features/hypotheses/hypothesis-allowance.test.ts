import { beforeEach, expect, it } from "vitest";
import { betweenReadAndWrite } from "../../../../test/other-tab.ts";
import {
  countHypothesis,
  MAX_HYPOTHESES_PER_DAY,
  mayWriteHypothesis,
} from "./hypothesis-allowance.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

beforeEach(() => localStorage.clear());

it("counts what two tabs ask for two agents at once", () => {
  betweenReadAndWrite(
    () => countHypothesis("a", NOW, MAX_HYPOTHESES_PER_DAY),
    () => countHypothesis("b", NOW, MAX_HYPOTHESES_PER_DAY),
  );
  expect([mayWriteHypothesis("a", NOW), mayWriteHypothesis("b", NOW)]).toEqual([false, false]);
  expect(mayWriteHypothesis("c", NOW)).toBe(true);
  expect(mayWriteHypothesis("a", NOW + 24 * 3600_000)).toBe(true);
});
