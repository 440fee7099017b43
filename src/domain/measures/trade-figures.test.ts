import { expect, it } from "vitest";
import { tradeFigures } from "./trade-figures.ts";

const NONE = { known: 0, unknown: 0, wins: 0, losses: 0, won: 0n, lost: 0n, longestLosingRun: 0 };

it("computes win rate, average win and loss, and profit factor", () => {
  const sums = { known: 6, unknown: 1, wins: 2, losses: 3, won: 150n, lost: -105n };
  expect(tradeFigures({ ...sums, longestLosingRun: 2 })).toEqual({
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

it("returns no figure without a trade for it", () => {
  const none = { averageWin: null, averageLoss: null, profitFactor: null };
  expect(tradeFigures(NONE)).toMatchObject({ ...none, hitRate: null, longestLosingRun: 0 });
  expect(tradeFigures({ ...NONE, known: 1, wins: 1, won: 5n })).toMatchObject({
    hitRate: 1,
    profitFactor: null,
  });
});
