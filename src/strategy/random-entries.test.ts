import { describe, expect, it } from "vitest";
import { buildSimulatedAgent, buildSimulation, hourlyBars } from "../../test/simulated.ts";
import { randomEntries } from "./overfitting.ts";
import { seededRandom } from "./random.ts";
import { deviationOf, meanOf } from "./measures.ts";
import { simulate } from "./simulate.ts";

const agent = buildSimulatedAgent({ slippageBps: 500 });

/** Bars that open where the one before closed. */
const barsOf = (closes: readonly number[]) =>
  hourlyBars(
    closes.map((close, at) => {
      const open = closes[at - 1] ?? 100;
      return [open, Math.max(open, close), Math.min(open, close), close];
    }),
  );

/** Closes of a walk that is expected to stay where it is. */
function walk(seed: number, bars: number): number[] {
  const random = seededRandom(seed);
  let price = 100;
  return Array.from({ length: bars }, () => (price *= 1 + (random() - 0.5) / 25));
}

describe("randomEntries", () => {
  it("finds that nobody does as well as entries that know the future", () => {
    const closes = walk(3, 400);
    const fired = closes.flatMap((close, at) => {
      const next = closes[at + 1];
      if (at % 2 === 1 || next === undefined || next <= close) return [];
      return [
        [at, "OPEN_LONG"],
        [at + 1, "CLOSE_LONG"],
      ] as const;
    });
    const result = simulate(buildSimulation(barsOf(closes), fired, { agent }));
    expect(result.trades.length).toBeGreaterThan(50);
    expect(randomEntries(result, seededRandom(1))?.share).toBe(0);
  });

  it("finds random entries in the middle", () => {
    const shares = Array.from({ length: 60 }, (_, seed) => {
      const random = seededRandom(seed + 1_000);
      const closes = walk(seed, 300);
      const fired = closes.flatMap((_close, at) =>
        at % 10 === 0
          ? ([
              [at + Math.floor(random() * 4), "OPEN_LONG"],
              [at + 4 + Math.floor(random() * 4), "CLOSE_LONG"],
            ] as const)
          : [],
      );
      const result = simulate(buildSimulation(barsOf(closes), fired, { agent }));
      return randomEntries(result, seededRandom(seed))?.share ?? 1;
    });
    const error = deviationOf(shares) / Math.sqrt(shares.length);
    expect(Math.abs(meanOf(shares) - 0.5)).toBeLessThan(3 * error);
    expect(shares.filter((share) => share <= 0.05).length).toBeLessThanOrEqual(8);
  });

  it("does not exist without a closed trade", () => {
    const result = simulate(buildSimulation(barsOf(walk(1, 50)), [], { agent }));
    expect(randomEntries(result, seededRandom(1))).toBeNull();
  });
});
