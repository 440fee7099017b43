import fc from "fast-check";
import { expect, it } from "vitest";
import { gapsOf, reduceCurve, withBookedFlows } from "./account-curve.ts";
import { longestStepMs } from "./range.ts";

const HOUR_MS = 3_600_000;

it("keeps the drawdowns of the whole curve in a thinned one", () => {
  const values = Array.from({ length: 1_000 }, () => 100n);
  values[501] = 200n;
  values[703] = 40n;
  const points = values.map((value, atMs) => ({ atMs, value, flow: 0n }));
  const curve = reduceCurve(points, 10);
  expect(curve.length).toBeLessThan(20);
  const at = (atMs: number) => curve.find((point) => point.atMs === atMs);
  expect(at(501)?.growth).toBe(2);
  expect(at(703)?.drawdown).toBeCloseTo(0.8, 9);
  expect(at(600)?.drawdown).toBeCloseTo(0.5, 9);
});

it("leaves a gap where short positions were open without a recorded point", () => {
  const point = (hours: number) => ({ atMs: hours * HOUR_MS, value: 1n, netFlow: 0n });
  const span = (from: number, to: number) => ({ fromMs: from * HOUR_MS, toMs: to * HOUR_MS });
  const gaps = (open: readonly ReturnType<typeof span>[]) =>
    gapsOf([point(0), point(6)], open, 6 * HOUR_MS);
  // One that was closed an hour after the last point, and several of six minutes each
  expect(gaps([span(0, 1)])).toEqual([span(0, 6)]);
  expect(gaps([span(1, 1.1), span(2, 2.1), span(3, 3.1)])).toEqual([span(0, 6)]);
  // Nothing was open but for the minute until a fill is recorded
  expect(gaps([span(0, 1 / 60)])).toEqual([]);
});

it("finds the gaps of each pair of a point and a position", () => {
  const span = fc
    .tuple(fc.nat(400), fc.nat(60))
    .map(([from, hours]) => ({ fromMs: from * HOUR_MS, toMs: (from + hours) * HOUR_MS }));
  const times = fc.uniqueArray(fc.nat(400), { maxLength: 60 });
  fc.assert(
    fc.property(times, fc.array(span, { maxLength: 30 }), (hours, open) => {
      const points = hours
        .toSorted((one, other) => one - other)
        .map((hour) => ({ atMs: hour * HOUR_MS, value: 1n, netFlow: 0n }));
      const nowMs = 420 * HOUR_MS;
      const told = points.flatMap(({ atMs }, at) => {
        const next = points[at + 1]?.atMs ?? nowMs;
        const openMs = open
          .map(({ fromMs, toMs }) => Math.min(toMs, next) - Math.max(fromMs, atMs))
          .filter((ms) => ms > 0)
          .reduce((sum, ms) => sum + ms, 0);
        const isGap = next - atMs > longestStepMs(atMs, nowMs) && openMs > 600_000;
        return isGap ? [{ fromMs: atMs, toMs: next }] : [];
      });
      expect(gapsOf(points, open, nowMs)).toEqual(told);
    }),
  );
});

it("counts a flow from its own time on, also where it was booked after a later point", () => {
  const hour = 3_600_000;
  const points = [
    { atMs: 0, value: 1_000n, flow: 1_000n },
    { atMs: 3 * hour, value: 1_000n, flow: 0n },
    { atMs: 4 * hour, value: 3_000n, flow: 2_000n },
    { atMs: 8 * hour, value: 3_300n, flow: 0n },
  ];
  const flows = [
    { atMs: 0, amount: 1_000n },
    { atMs: 2 * hour, amount: 2_000n },
  ];
  expect(withBookedFlows(points, flows)).toEqual([
    points[0],
    { atMs: 2 * hour, value: null, flow: 2_000n },
    points[1],
    { ...points[2], flow: 0n },
    points[3],
  ]);
});
