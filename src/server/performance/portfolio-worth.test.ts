import { expect, it } from "vitest";
import { madeSince, sparklineOf } from "./portfolio-worth.ts";

const USDC = 1_000_000n;
const HOUR_MS = 3_600_000;

const marked = (atMs: number, value: bigint, netFlow: bigint) => ({
  atMs,
  value: value * USDC,
  netFlow: netFlow * USDC,
  isOpen: true,
});

/*
 * 1,000 grow to 1,100 (+10 %). Then 9,000 come in: 10,100. Those fall to 9,595 (-5 %). Nothing but the first and the last
 * is a mark: 1.1 × 0.95 = 1.045, and 5 % below the peak.
 */
it("separates profit before and after a large deposit between two points", () => {
  const [first, deposited, last] = [0, HOUR_MS, 2 * HOUR_MS];
  const marks = new Map([
    [first, marked(first, 1_000n, 1_000n)],
    [last, marked(last, 9_595n, 10_000n)],
  ]);
  const flows = [marked(deposited, 10_100n, 10_000n)];
  const { spark, drawdown } = sparklineOf(
    { value: null, sinceMs: null, marks, flows, inflows: new Map(), isUnbooked: false },
    [first, last],
    last,
  );
  expect(spark).toEqual([0, expect.closeTo(0.045, 12)]);
  expect(drawdown).toBeCloseTo(0.05, 12);
});

/* 1,000 came in, 20 of them were lost, and 900 went out again: 2 % were lost, not 20 %. */
it("relates profit to all deposits, whatever was withdrawn again", () => {
  const now = 2 * HOUR_MS;
  const worth = {
    value: 80n * USDC,
    sinceMs: null,
    marks: new Map([[now, marked(now, 80n, 100n)]]),
    flows: [],
    inflows: new Map([[0, 1_000n * USDC]]),
    isUnbooked: false,
  };
  expect(madeSince([worth], 0, now, 6)).toEqual({ amount: "-20", share: -0.02 });
});
