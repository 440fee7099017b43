import { describe, expect, it } from "vitest";
import { DENIALS, type DenialReason } from "./reasons.ts";
import { endsExit, exitFeeFactor, exitLimitBps, exitWaitMs } from "./exit.ts";

describe("a repeated exit", () => {
  it("waits a quarter of a second, doubles the wait each time, and never waits longer than 15 s", () => {
    expect([1, 2, 3, 6, 7, 8, 1_000].map(exitWaitMs)).toEqual([
      250, 500, 1_000, 8_000, 15_000, 15_000, 15_000,
    ]);
  });

  it("starts with the agent's slippage and widens to 10 %", () => {
    expect([0, 1, 2, 4, 5, 1_000].map((attempts) => exitLimitBps(50, attempts))).toEqual([
      50, 100, 200, 800, 1_000, 1_000,
    ]);
    expect([exitLimitBps(500, 0), exitLimitBps(500, 1), exitLimitBps(500, 9)]).toEqual([
      500, 1_000, 1_000,
    ]);
  });

  it("offers up to 32 times the fee", () => {
    expect([0, 1, 5, 6].map(exitFeeFactor)).toEqual([1n, 2n, 32n, 32n]);
  });

  it("ends only when there is nothing to close", () => {
    const ends = (Object.keys(DENIALS) as DenialReason[]).filter(endsExit);
    expect(ends.toSorted()).toEqual(["market_unknown", "nothing_to_close", "sub_account_missing"]);
  });
});
