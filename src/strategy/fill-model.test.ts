import { describe, expect, it } from "vitest";
import { NO_COSTS } from "../../test/simulated.ts";
import type { Side } from "../domain/position.ts";
import { costsAt, fillOf, fundingOver, isWithinSlippage, priceUnits } from "./fill-model.ts";
import type { SimulationCosts } from "./simulation.ts";

const fill = (side: Side, costs: Partial<SimulationCosts>, baseSize = 10_000_000_000n) =>
  fillOf(
    { side, reduceOnly: false, baseSize },
    {
      market: { baseDecimals: 9 },
      quoteDecimals: 6,
      price: 100_000_000n,
      costs: { ...NO_COSTS, ...costs },
    },
  );

/** Ten assets at 100.00, a notional of one thousand. Worked out by hand. */
const CASES: readonly [
  string,
  Side,
  Partial<SimulationCosts>,
  { price: bigint; quoteSize: bigint; fee: bigint; spreadCost: bigint; impactCost: bigint },
][] = [
  [
    "nothing",
    "long",
    {},
    { price: 100_000_000n, quoteSize: 1_000_000_000n, fee: 0n, spreadCost: 0n, impactCost: 0n },
  ],
  [
    "a fee of 0.035 %: 0.35",
    "long",
    { feePpm: 350 },
    {
      price: 100_000_000n,
      quoteSize: 1_000_000_000n,
      fee: 350_000n,
      spreadCost: 0n,
      impactCost: 0n,
    },
  ],
  [
    "half a spread of 0.025 %: 2.5 cents an asset, 0.25",
    "long",
    { halfSpreadPpm: 250 },
    {
      price: 100_025_000n,
      quoteSize: 1_000_250_000n,
      fee: 0n,
      spreadCost: 250_000n,
      impactCost: 0n,
    },
  ],
  [
    "the same for a seller",
    "short",
    { halfSpreadPpm: 250 },
    { price: 99_975_000n, quoteSize: 999_750_000n, fee: 0n, spreadCost: 250_000n, impactCost: 0n },
  ],
  [
    "an impact of 0.01 % for 10,000, a tenth of it for 1,000: 0.01",
    "long",
    { impactPpm: 100 },
    {
      price: 100_001_000n,
      quoteSize: 1_000_010_000n,
      fee: 0n,
      spreadCost: 0n,
      impactCost: 10_000n,
    },
  ],
  [
    "all at once, the fee on what is really traded",
    "long",
    { feePpm: 350, halfSpreadPpm: 250, impactPpm: 100 },
    {
      price: 100_026_000n,
      quoteSize: 1_000_260_000n,
      fee: 350_091n,
      spreadCost: 250_000n,
      impactCost: 10_000n,
    },
  ],
];

describe("fillOf", () => {
  it.each(CASES)("charges %s", (_name, side, costs, expected) => {
    expect(fill(side, costs)).toMatchObject(expected);
  });

  it("rounds against the order", () => {
    expect(fill("long", {}, 1n)).toMatchObject({ quoteSize: 1n });
    expect(fill("short", {}, 1n)).toMatchObject({ quoteSize: 0n });
  });

  it("sells for zero rather than for a negative price", () => {
    expect(fill("short", { impactPpm: 900_000 }, 10n ** 15n).price).toBe(1n);
  });
});

describe("priceUnits", () => {
  it.each([
    [142.35, 142_350_000n],
    [0.000_000_4, null],
    [-1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])("reads %s as %s", (price, expected) => {
    expect(priceUnits(price)).toBe(expected);
  });
});

describe("isWithinSlippage", () => {
  it.each<[Side, bigint, boolean]>([
    ["long", 100_500_000n, true],
    ["long", 100_500_001n, false],
    ["short", 99_500_000n, true],
    ["short", 99_499_999n, false],
    ["long", 90_000_000n, true],
  ])("judges a %s at %s", (side, price, expected) => {
    expect(isWithinSlippage(side, price, 100_000_000n, 50)).toBe(expected);
  });
});

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 5);

it("takes what was measured in an hour of the day where that is more than the venue's spread", () => {
  const hours = Array.from({ length: 24 }, (_, hour) => (hour === 3 ? null : hour * 100));
  const costs = { ...NO_COSTS, halfSpreadPpm: 250, halfSpreadPpmByHour: hours };
  const spreads = [0, 2.99, 3, 3.5, 4, 23.99, 24, 27].map(
    (hour) => costsAt(costs, START_MS + hour * HOUR_MS).halfSpreadPpm,
  );
  expect(spreads).toEqual([250, 250, 250, 250, 400, 2_300, 250, 250]);
});

it("adds published rates up over the time since the one before, and says what none covers", () => {
  const at = (hours: number) => START_MS + hours * HOUR_MS;
  const over = fundingOver({ atMs: [at(8), at(16), at(20)], ppm: [80, -160, 40] });
  const of = (from: number, to: number) => {
    const { share, uncoveredMs } = over(at(from), at(to));
    return [Math.round(share * 1e9) / 1e3, uncoveredMs / HOUR_MS];
  };
  expect(of(0, 8)).toEqual([80, 0]);
  expect(of(0, 20)).toEqual([-40, 0]);
  expect(of(4, 12)).toEqual([-40, 0]);
  expect(of(17, 18)).toEqual([10, 0]);
  expect(of(-5, 1)).toEqual([10, 5]);
  expect(of(19, 24)).toEqual([10, 4]);
  expect(of(21, 24)).toEqual([0, 3]);
  expect(of(-9, -4)).toEqual([0, 5]);
});

it.each([[undefined], [{ atMs: [], ppm: [] }], [{ atMs: [START_MS], ppm: [100] }]])(
  "covers nothing without two rates: %j",
  (published) => {
    expect(fundingOver(published)(START_MS - 5, START_MS)).toEqual({ share: 0, uncoveredMs: 5 });
  },
);
