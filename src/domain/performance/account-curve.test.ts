import { expect, it } from "vitest";
import { thinCurve } from "./account-curve.ts";

it("draws a thinned curve with the falls of the whole one", () => {
  const values = Array.from({ length: 1_000 }, () => 100n);
  values[501] = 200n;
  values[703] = 40n;
  const points = values.map((value, atMs) => ({ atMs, value, flow: 0n }));
  const curve = thinCurve(points, 10);
  expect(curve.length).toBeLessThan(20);
  const at = (atMs: number) => curve.find((point) => point.atMs === atMs);
  expect(at(501)?.growth).toBe(2);
  expect(at(703)?.drawdown).toBeCloseTo(0.8, 9);
  expect(at(600)?.drawdown).toBeCloseTo(0.5, 9);
});
