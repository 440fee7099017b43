import { beforeEach, expect, it } from "vitest";
import { agentIdOf } from "../../../../../test/ids.ts";
import { betweenReadAndWrite } from "../../../../../test/other-tab.ts";
import {
  countHypothesis,
  MAX_HYPOTHESES_PER_DAY,
  mayWriteHypothesis,
} from "./hypothesis-writer.tsx";

const NOW = Date.UTC(2026, 10, 21, 12);

beforeEach(() => localStorage.clear());

it("counts simultaneous requests of two tabs for two agents", () => {
  betweenReadAndWrite(
    () => countHypothesis(agentIdOf("a"), NOW, MAX_HYPOTHESES_PER_DAY),
    () => countHypothesis(agentIdOf("b"), NOW, MAX_HYPOTHESES_PER_DAY),
  );
  expect([
    mayWriteHypothesis(agentIdOf("a"), NOW),
    mayWriteHypothesis(agentIdOf("b"), NOW),
  ]).toEqual([false, false]);
  expect(mayWriteHypothesis(agentIdOf("c"), NOW)).toBe(true);
  expect(mayWriteHypothesis(agentIdOf("a"), NOW + 24 * 3600_000)).toBe(true);
});
