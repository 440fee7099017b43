import { describe, expect, it } from "vitest";
import { comparedSpan } from "./use-simulated.ts";
import { simulatedCurve } from "../../../workers/simulated-curve.ts";

const HOUR_MS = 3_600_000;
const DAY = Date.UTC(2026, 10, 21);

const shown = (value: string | null, beganMs: number) => ({
  curve: [{ time: beganMs / 1_000, value, growth: 0, drawdown: 0 }],
  to: new Date(DAY + 9.5 * HOUR_MS).toISOString(),
  quote: { symbol: "USDC", decimals: 6 },
});

describe("the span a simulation is compared over", () => {
  it("covers the whole bars of the shown period, with its initial value", () => {
    const span = comparedSpan(shown("512.000001", DAY + 2.25 * HOUR_MS), 60);
    expect(span).toMatchObject({
      fromMs: DAY + 2 * HOUR_MS,
      nowMs: DAY + 9 * HOUR_MS,
      startMoney: 512_000_001n,
    });
    expect(Math.round((span?.days ?? 0) * 24 * HOUR_MS)).toBe(7 * HOUR_MS);
  });

  it.each([
    ["no bar closed in it", shown("500", DAY + 9.25 * HOUR_MS)],
    ["nothing was there", shown("0", DAY)],
    ["nobody knows what was there", shown(null, DAY)],
  ])("does not exist where %s", (_name, given) => {
    expect(comparedSpan(given, 60)).toBeNull();
  });
});

it("draws a run from zero gain to its end with few points", () => {
  const bars = 5_000;
  const times = Float64Array.from({ length: bars }, (_, at) => DAY + (at + 1) * HOUR_MS);
  const equity = Float64Array.from({ length: bars }, (_, at) => 500 + at / 100);
  const result = { times, equity, startMoney: 500_000_000n };
  const done = { request: { fromMs: DAY, quoteDecimals: 6 }, report: { result } };
  const points = simulatedCurve(done as unknown as Parameters<typeof simulatedCurve>[0]);
  expect(points.length).toBeLessThanOrEqual(1_002);
  expect(points[0]).toEqual({ time: DAY / 1_000, value: 0 });
  expect(points.at(-1)?.value).toBeCloseTo(49.99 / 500, 9);
});

it("leaves a gap in the line for missing bars", () => {
  const times = [60, 120, 180, 600, 660].map((seconds) => seconds * 1_000);
  const done = {
    request: { fromMs: 0, quoteDecimals: 6 },
    barMinutes: 1,
    report: { result: { times, equity: times.map(() => 1_000), startMoney: 1_000_000_000n } },
  };
  const points = simulatedCurve(done as unknown as Parameters<typeof simulatedCurve>[0]);
  expect(points.map(({ time, value }) => [time, value])).toEqual([
    [0, 0],
    [60, 0],
    [120, 0],
    [180, 0],
    [180, null],
    [600, 0],
    [660, 0],
  ]);
});
