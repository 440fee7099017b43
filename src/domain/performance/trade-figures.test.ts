import { describe, expect, it } from "vitest";
import { exposureOf, tradeFigures } from "./trade-figures.ts";

const trades = (...results: readonly (bigint | null)[]) =>
  results.map((pnl, at) => ({ openedAtMs: at * 10, closedAtMs: at * 10 + 5, pnl }));

describe("figures of closed trades", () => {
  it("count what was won and lost, and leave out what is not known", () => {
    expect(tradeFigures(trades(100n, -50n, -25n, 0n, -30n, null, 50n))).toEqual({
      known: 6,
      unknown: 1,
      wins: 2,
      losses: 3,
      hitRate: 2 / 6,
      averageWin: 75n,
      averageLoss: -35n,
      profitFactor: 150 / 105,
      longestLosingRun: 2,
    });
  });

  it("are unknown where no trade says them", () => {
    const none = { averageWin: null, averageLoss: null, profitFactor: null };
    expect(tradeFigures([])).toMatchObject({ ...none, hitRate: null, longestLosingRun: 0 });
    expect(tradeFigures(trades(5n))).toMatchObject({ hitRate: 1, profitFactor: null });
  });
});

describe("exposure", () => {
  it.each([
    [[{ fromMs: 10, toMs: 30 }], 0.2],
    [
      [
        { fromMs: -50, toMs: 10 },
        { fromMs: 90, toMs: 500 },
      ],
      0.2,
    ],
    [
      [
        { fromMs: 20, toMs: 60 },
        { fromMs: 10, toMs: 40 },
        { fromMs: 30, toMs: 50 },
      ],
      0.5,
    ],
    [[], 0],
  ])("is the share of the time something was open (%#)", (open, share) => {
    expect(exposureOf(open, { fromMs: 0, toMs: 100 })).toBeCloseTo(share, 12);
    expect(exposureOf(open, { fromMs: 5, toMs: 5 })).toBeNull();
  });
});
