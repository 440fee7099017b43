import { describe, expect, it } from "vitest";
import { maxDrawdownOf } from "../domain/measures/growth.ts";
import { buildSimulatedAgent, buildSimulation, hourlyBars } from "../../test/simulated.ts";
import { measuresOf, periodsOf } from "./measures.ts";
import { seededRandom } from "./random.ts";
import { type Course, reshuffle } from "./report.ts";
import { simulate } from "./simulate.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The account after each of these daily returns, from 1. */
function daysOf(returns: readonly number[]): Course {
  let worth = 1;
  return {
    start: 1,
    times: returns.map((_, at) => (at + 1) * DAY_MS),
    worths: returns.map((each) => (worth *= 1 + each)),
  };
}

/** A driftless walk of 120 days that is held ten days long, with two days between. */
function lifeOn(seed: number) {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let price = 100;
  const bars = hourlyBars(
    Array.from({ length: 120 * 24 }, () => {
      const open = price;
      price *= Math.exp(0.01 * normal() - 0.000_05);
      return [open, Math.max(open, price), Math.min(open, price), price];
    }),
  );
  const fired = Array.from({ length: 10 }, (_, at) => at * 288).flatMap((at) => [
    [at, "OPEN_LONG"] as const,
    [at + 240, "CLOSE_LONG"] as const,
  ]);
  return simulate(
    buildSimulation(bars, fired, { agent: buildSimulatedAgent({ slippageBps: 5_000 }) }),
  );
}

describe("the band of drawdowns", () => {
  it("is exceeded by few of its own runs, and by about one in twenty on another walk", () => {
    const runs = 240;
    let own = 0;
    let another = 0;
    for (let seed = 1; seed <= runs; seed += 1) {
      const run = lifeOn(seed);
      const course = { start: 1_000, times: run.times, worths: run.equity };
      const bands = reshuffle(course, seededRandom(seed), 300) ?? expect.fail("no band");
      const next = measuresOf(lifeOn(seed + runs), 6).maxDrawdown;
      const mine = measuresOf(run, 6).maxDrawdown;
      if (mine > bands.maxDrawdown.high) own += 1;
      if (next > bands.maxDrawdown.high) another += 1;
    }
    expect(own / runs).toBeLessThan(0.05);
    // Bands of closed trades: 7 % and 28 %
    expect(another / runs).toBeGreaterThan(0.02);
    expect(another / runs).toBeLessThan(0.1);
  });

  it("of days in their original order is the run's own drawdown, bar by bar", () => {
    const { times, equity } = lifeOn(7);
    const periods = periodsOf(1_000, times, equity);
    expect(periods).toHaveLength(120);
    let worth = 1_000;
    let peak = 1_000;
    let deepest = 0;
    for (const { growth, high, low, drawdown } of periods) {
      deepest = Math.max(deepest, drawdown, 1 - (worth * low) / peak);
      peak = Math.max(peak, worth * high);
      worth *= growth;
    }
    expect(deepest).toBeCloseTo(maxDrawdownOf([1_000, ...equity]), 12);
    expect(worth).toBeCloseTo(equity.at(-1) ?? 0, 6);
  });
});

describe("reshuffle", () => {
  it("gives the same bands for the same seed, and none for nine days", () => {
    const course = daysOf([0.05, -0.02, 0.01, -0.04, 0.03, 0.02, -0.03, 0.04, -0.01, 0.02]);
    const bands = reshuffle(course, seededRandom(7));
    expect(reshuffle(course, seededRandom(7))).toEqual(bands);
    expect(bands?.totalReturn.low).toBeLessThan(0);
    expect(bands?.totalReturn.high).toBeGreaterThan(0.07);
    expect(reshuffle(daysOf(Array.from({ length: 9 }, () => 0.01)), seededRandom(7))).toBeNull();
  });

  it("finds the spread of coin flips", () => {
    // A thousand steps of 1 %: the final logarithm's standard deviation is 0.01 times the square root of 1,000, that of
    // the difference of two such runs the square root of two times it, and nine tenths lie within 1.645 of it
    const random = seededRandom(3);
    const coin = Array.from({ length: 1_000 }, () => (random() < 0.5 ? 0.01 : -0.01));
    const own = Math.log(daysOf(coin).worths[999] ?? 0);
    const { totalReturn } = reshuffle(daysOf(coin), seededRandom(1), 4_000) ?? expect.fail("none");
    const reach = 1.645 * 0.01 * Math.sqrt(2_000);
    // The throws are one sample, whose own deviation differs by a few percent
    expect((Math.log1p(totalReturn.high) - own) / reach).toBeCloseTo(1, 0.5);
    expect((Math.log1p(totalReturn.low) - own) / -reach).toBeCloseTo(1, 0.5);
  });

  it("survives an account that lost everything", () => {
    const lost = daysOf([...Array.from({ length: 9 }, () => 0.01), -1.2, 0, 0]);
    const { totalReturn, maxDrawdown } = reshuffle(lost, seededRandom(1)) ?? expect.fail("none");
    expect(totalReturn.low).toBe(-1);
    expect(maxDrawdown.high).toBe(1);
  });
});
