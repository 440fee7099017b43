import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  drawdownCurve,
  growthOf,
  largestDrawdown,
  timeWeightedReturn,
  type ValuePoint,
} from "../measures/growth.ts";
import { moneyWeightedReturn } from "../measures/money-weighted.ts";
import { monthlyReturns } from "../measures/monthly-returns.ts";

const DAY_MS = 86_400_000;

/** Day, value after the flow (null: unknown), flow since the previous point. */
type Row = readonly [day: number, value: bigint | null, flow?: bigint];

const pointsOf = (rows: readonly Row[]): ValuePoint[] =>
  rows.map(([day, value, flow = 0n]) => ({ atMs: day * DAY_MS, value, flow }));

describe("both returns of a hand-worked table", () => {
  // Money-weighted return by hand: with x as the square root of the total growth, a quadratic equation in x
  it.each<[string, readonly Row[], number | null, number | null]>([
    [
      "no flow",
      [
        [0, 1000n],
        [100, 1100n],
      ],
      0.1,
      0.1,
    ],
    [
      "money in before the gain: x² + x = 2.2",
      [
        [0, 1000n],
        [50, 2000n, 1000n],
        [100, 2200n],
      ],
      0.1,
      ((Math.sqrt(9.8) - 1) / 2) ** 2 - 1,
    ],
    [
      "money in after the gain: x² + x = 2.1",
      [
        [0, 1000n],
        [50, 2100n, 1000n],
        [100, 2100n],
      ],
      0.1,
      ((Math.sqrt(9.4) - 1) / 2) ** 2 - 1,
    ],
    [
      "money in between two equal gains: x² + x = 2.31, x = 1.1",
      [
        [0, 1000n],
        [50, 2100n, 1000n],
        [100, 2310n],
      ],
      0.21,
      0.21,
    ],
    [
      "half taken out between a gain and a loss: 1000 x² - 550 x = 495",
      [
        [0, 1000n],
        [50, 550n, -550n],
        [100, 495n],
      ],
      -0.01,
      ((550 + Math.sqrt(550 ** 2 + 4 * 1000 * 495)) / 2000) ** 2 - 1,
    ],
    [
      "a total loss",
      [
        [0, 1000n],
        [100, 0n],
      ],
      -1,
      -1,
    ],
    [
      "money in after a total loss: 2 x² + x = 1, x = 0.5",
      [
        [0, 1000n],
        [50, 500n, 500n],
        [100, 500n],
      ],
      -1,
      -0.75,
    ],
    [
      "a loss of more than everything",
      [
        [0, 1000n],
        [100, -20n],
      ],
      -1,
      -1,
    ],
    [
      "an account that was empty at first",
      [
        [0, 0n],
        [50, 1000n, 1000n],
        [100, 1100n],
      ],
      0.1,
      0.1,
    ],
    [
      "an entry fee at once",
      [
        [0, 0n],
        [50, 990n, 1000n],
        [100, 990n],
      ],
      -0.01,
      -0.01,
    ],
    [
      "everything taken out",
      [
        [0, 1000n],
        [100, 0n, -1100n],
      ],
      0.1,
      0.1,
    ],
    ["zero days", [[0, 1000n]], null, null],
    [
      "two readings of one moment",
      [
        [5, 1000n],
        [5, 1000n],
      ],
      0,
      null,
    ],
    ["nothing", [], null, null],
    [
      "nothing but an empty account",
      [
        [0, 0n],
        [100, 0n],
      ],
      0,
      null,
    ],
    [
      "a gap without flows",
      [
        [0, 1000n],
        [50, null],
        [100, 1100n],
      ],
      0.1,
      0.1,
    ],
    [
      "money in within a gap: what was there at the time is not known",
      [
        [0, 1000n],
        [50, null, 1000n],
        [100, 2310n],
      ],
      null,
      0.21,
    ],
    [
      "no value at first",
      [
        [0, null],
        [50, 1000n],
        [100, 1100n],
      ],
      0.1,
      0.1,
    ],
    [
      "money out of nowhere",
      [
        [0, 0n],
        [100, 50n],
      ],
      null,
      null,
    ],
  ])("%s", (_name, rows, timeWeighted, moneyWeighted) => {
    const points = pointsOf(rows);
    const close = (rate: number | null) => (rate === null ? null : expect.closeTo(rate, 9));
    expect(timeWeightedReturn(points)).toEqual(close(timeWeighted));
    expect(moneyWeightedReturn(points)).toEqual(close(moneyWeighted));
  });
});

describe("published examples", () => {
  const annual = (rate: number | null, years: number) =>
    (1 + (rate ?? Number.NaN)) ** (1 / years) - 1;

  it("of the CFA curriculum: a share at 100, another at 120, both sold at 130, dividends of 2", () => {
    // CFA level I, LOS 7.d; money-weighted 13.86 %, time-weighted 15.84 % a year
    const points = pointsOf([
      [0, 10_000n],
      [365, 24_000n, 11_800n],
      [730, 26_400n],
    ]);
    expect(annual(timeWeightedReturn(points), 2)).toBeCloseTo(0.1584, 4);
    expect(annual(moneyWeightedReturn(points), 2)).toBeCloseTo(0.1386, 4);
  });

  it("of a CFA mock exam: four shares at 50, two sold at 50, two at 80 with a dividend of 5", () => {
    // analystspace forum, thread 104359: money-weighted 20.52 %, time-weighted 30.38 % a year
    const points = pointsOf([
      [0, 20_000n],
      [365, 10_000n, -10_000n],
      [730, 17_000n],
    ]);
    expect(annual(timeWeightedReturn(points), 2)).toBeCloseTo(0.3038, 4);
    expect(annual(moneyWeightedReturn(points), 2)).toBeCloseTo(0.2052, 4);
  });

  it("of numpy's irr", () => {
    // numpy/numpy, lib/tests/test_financial.py: irr([-150000, 15000, 25000, 35000, 45000, 60000]) is 0.0524
    const out = [15_000n, 25_000n, 35_000n, 45_000n].map((amount, at): Row => [
      at + 1,
      null,
      -amount,
    ]);
    const points = pointsOf([[0, 150_000n], ...out, [5, 60_000n]]);
    expect(annual(moneyWeightedReturn(points), 5)).toBeCloseTo(0.0524, 4);
  });

  it("of the spreadsheet function XIRR, flows on uneven days", () => {
    // support.microsoft.com, "XIRR function": the documented example's rate is 0.373362535
    const day = (text: string) => Date.parse(text) / DAY_MS;
    const points = pointsOf([
      [day("2008-01-01"), 10_000n],
      [day("2008-03-01"), null, -2_750n],
      [day("2008-10-30"), null, -4_250n],
      [day("2009-02-15"), null, -3_250n],
      [day("2009-04-01"), 2_750n],
    ]);
    const years = (day("2009-04-01") - day("2008-01-01")) / 365;
    expect(annual(moneyWeightedReturn(points), years)).toBeCloseTo(0.373362535, 6);
  });

  it.each([
    // The tests of the Python package xirr: dates, amounts, rate a year of 365 days
    ["2019-12-31", 8_000_580n, "2020-03-12", 6_520_960n, -0.6454],
    ["2019-12-31", 10_008_276n, "2020-03-05", 8_267_124n, -0.6581],
    ["2019-12-31", 100n, "2020-03-05", 100n, 0],
    ["2019-12-31", 100n, "2020-03-05", 1000n, 412_461.6383],
  ])("of xirr, from %s %d to %s %d", (from, paid, to, received, rate) => {
    const days = (text: string) => Date.parse(text) / DAY_MS;
    const points = pointsOf([
      [days(from), paid],
      [days(to), received],
    ]);
    expect(annual(moneyWeightedReturn(points), (days(to) - days(from)) / 365)).toBeCloseTo(rate, 4);
  });
});

describe("any history", () => {
  const amount = fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n });

  it("removes flows: the same gains with other flows give the same return", () => {
    const step = fc.record({ gainBps: fc.integer({ min: -9_000, max: 20_000 }), flow: amount });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), amount, (steps, start) => {
        let value = start * 10n ** 9n;
        let expected = 1;
        const points: ValuePoint[] = [{ atMs: 0, value, flow: 0n }];
        steps.forEach(({ gainBps, flow }, at) => {
          const grown = (value * BigInt(10_000 + gainBps)) / 10_000n;
          expected *= Number(grown) / Number(value);
          value = grown + flow * 10n ** 9n;
          points.push({ atMs: (at + 1) * DAY_MS, value, flow: flow * 10n ** 9n });
        });
        expect((timeWeightedReturn(points) ?? 0) + 1).toBeCloseTo(expected, 6);
      }),
    );
  });

  it("finds the rate at which deposits grow to the present value", () => {
    const flows = fc.array(fc.tuple(fc.integer({ min: 1, max: 99 }), amount), { maxLength: 20 });
    const growths = fc.double({ min: 0.01, max: 50, noNaN: true });
    fc.assert(
      fc.property(flows, amount, growths, (paid, start, growth) => {
        const sorted = paid.toSorted(([a], [b]) => a - b);
        const end = sorted.reduce(
          (sum, [day, flow]) => sum + Number(flow) * growth ** ((100 - day) / 100),
          Number(start) * growth,
        );
        const scale = 10n ** 6n;
        const points = pointsOf([
          [0, start * scale],
          ...sorted.map(([day, flow]): Row => [day, null, flow * scale]),
          [100, BigInt(Math.round(end * 1e6))],
        ]);
        expect(((moneyWeightedReturn(points) ?? -1) + 1) / growth).toBeCloseTo(1, 5);
      }),
    );
  });
});

describe("with withdrawals between deposits", () => {
  it("gives no rate when more than one fits", () => {
    // 1 - 3.2 x + 2.4 x² = 0 at x = 0.5 and x = 0.8333: Descartes' rule allows two solutions, and both exist
    const points = pointsOf([
      [0, 2_400n],
      [50, 0n, -3_200n],
      [100, -1_000n],
    ]);
    expect(moneyWeightedReturn(points)).toBeNull();
  });
});

describe("drawdowns", () => {
  it("exclude flows, and the deepest has its days", () => {
    const curve = growthOf(
      pointsOf([
        [0, 1000n],
        [1, 1200n],
        [2, 900n],
        [3, null],
        [4, 1900n, 1000n],
        [5, 950n],
        [6, 1900n],
      ]),
    );
    expect(curve.at(3)?.growth).toBeNull();
    expect(drawdownCurve(curve.slice(0, 4))).toEqual([0, 0, expect.closeTo(0.25, 12), null]);
    expect(largestDrawdown(curve)).toEqual({
      depth: expect.closeTo(0.625, 12),
      peakAtMs: DAY_MS,
      lowAtMs: 5 * DAY_MS,
    });
    expect(largestDrawdown(curve.slice(0, 2))).toBeNull();
  });
});

describe("returns by month", () => {
  it("has none of a month whose end is unknown, nor of one whose beginning is", () => {
    const at = (text: string) => Date.parse(text) / DAY_MS;
    const rows = monthlyReturns(
      growthOf(
        pointsOf([
          [at("2026-01-15"), 1000n],
          [at("2026-01-31"), 1100n],
          [at("2026-02-10"), 1650n],
          [at("2026-02-20"), null],
          [at("2026-03-10"), 1100n],
          [at("2026-03-31"), 1210n],
          [at("2026-04-30"), 2420n],
        ]),
      ),
    );
    expect(rows).toEqual([
      { month: "2026-01", rate: expect.closeTo(0.1, 9), isPartial: true },
      { month: "2026-02", rate: null, isPartial: true },
      { month: "2026-03", rate: null, isPartial: true },
      { month: "2026-04", rate: expect.closeTo(1, 9), isPartial: false },
    ]);
  });

  it("chain to the total, mark partial months, and include a month without activity", () => {
    const at = (text: string) => Date.parse(text) / DAY_MS;
    const rows = monthlyReturns(
      growthOf(
        pointsOf([
          [at("2026-01-15T12:00:00Z"), 1000n],
          [at("2026-01-31T23:00:00Z"), 1100n],
          [at("2026-03-02T00:00:00Z"), null],
          [at("2026-03-31T00:00:00Z"), 990n],
          [at("2026-04-01T00:00:00Z"), 1980n],
        ]),
      ),
    );
    expect(rows).toEqual([
      { month: "2026-01", rate: expect.closeTo(0.1, 9), isPartial: true },
      { month: "2026-02", rate: 0, isPartial: false },
      { month: "2026-03", rate: expect.closeTo(-0.1, 9), isPartial: true },
      { month: "2026-04", rate: expect.closeTo(1, 9), isPartial: false },
    ]);
    const whole = rows.reduce((product, { rate }) => product * (1 + (rate ?? 0)), 1);
    expect(whole).toBeCloseTo(1.98, 9);
    expect(monthlyReturns([])).toEqual([]);
  });
});
