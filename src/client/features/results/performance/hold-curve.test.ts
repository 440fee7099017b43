import { expect, it } from "vitest";
import { closeTimeOf } from "../../../../domain/candle-interval.ts";
import { holdCandles, holdCurve, holdInterval } from "./hold-curve.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 10, 23, 5, 8);

/** Returns a market's candles as a source answers: 100 until half an hour ago, 110 since. */
function candlesOf(spanMs: number) {
  const interval = holdInterval(spanMs);
  const step = closeTimeOf(interval, 0);
  const last = NOW - (NOW % step);
  const count = holdCandles(spanMs, interval);
  return Array.from({ length: count }, (_, at) => {
    const openMs = last - (count - 1 - at) * step;
    return { time: openMs / 1_000, close: openMs + step > NOW - HOUR_MS / 2 ? 110 : 100 };
  });
}

const heldFor = (spanMs: number) =>
  holdCurve(candlesOf(spanMs), holdInterval(spanMs), { fromMs: NOW - spanMs, toMs: NOW });

it("starts with a price from just before the span", () => {
  expect(heldFor(10 * MINUTE_MS).growth).toBe(0);
  expect(heldFor(2 * HOUR_MS).growth).toBeCloseTo(0.1, 12);
});

it.each([10 * MINUTE_MS, 12 * HOUR_MS, DAY_MS, 3 * DAY_MS, 30 * DAY_MS, 365 * DAY_MS])(
  "covers a span of %d ms without a gap",
  (spanMs) => {
    const { growth, missing, points } = heldFor(spanMs);
    expect(missing).toEqual([]);
    expect(growth).not.toBeNull();
    expect(points.length).toBeLessThanOrEqual(1_000);
  },
);

it("leaves a gap in the line for every missing candle", () => {
  const candles = candlesOf(2 * HOUR_MS).filter((_, at, all) => at !== all.length - 40);
  const { points, missing } = holdCurve(candles, "1m", { fromMs: NOW - 2 * HOUR_MS, toMs: NOW });
  expect(missing).toHaveLength(1);
  expect(points.filter(({ value }) => value === null)).toHaveLength(1);
});
