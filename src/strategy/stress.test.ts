import { describe, expect, it } from "vitest";
import {
  buildSimulatedAgent,
  buildSimulation,
  hourlyBars,
  NO_COSTS,
} from "../../test/simulated.ts";
import { seededRandom } from "./random.ts";
import { measuresOf } from "./measures.ts";
import { simulate } from "./simulate.ts";
import { stressLines } from "./report.ts";

const agent = buildSimulatedAgent({ slippageBps: 2_000 });
const prices = [100, 100, 100, 110, 121, 121, 121];
const alerts = [
  [0, "OPEN_LONG"],
  [3, "CLOSE_LONG"],
] as const;
const costs = { ...NO_COSTS, feePpm: 1_000, halfSpreadPpm: 500, impactPpm: 100 };
const input = buildSimulation(hourlyBars(prices), alerts, { agent, costs });
const returnOf = (run: typeof input) => measuresOf(simulate(run), 6).totalReturn;

describe("stressLines", () => {
  it("runs every alert one bar later, as if it had arrived then", () => {
    const late = buildSimulation(
      hourlyBars(prices),
      alerts.map(([at, key]) => [at + 1, key] as const),
      { agent, costs },
    );
    const climb = [100, 100, 110, 121, 121, 121, 121];
    const early = { ...input, bars: hourlyBars(climb) };
    const later = { ...late, bars: hourlyBars(climb) };
    expect(stressLines(early, seededRandom(1)).oneBarLater).toBe(returnOf(later));
    expect(returnOf(later)).toBeLessThan(returnOf(early) - 0.05);
  });

  it("takes fee, spread and impact twice, and funding once", () => {
    const twice = { ...costs, feePpm: 2_000, halfSpreadPpm: 1_000, impactPpm: 200 };
    const funded = { ...input, costs: { ...costs, fundingPpmPerDay: 5_000 } };
    const { costsTwice } = stressLines(funded, seededRandom(1));
    expect(costsTwice).toBe(returnOf({ ...funded, costs: { ...twice, fundingPpmPerDay: 5_000 } }));
    expect(costsTwice).toBeLessThan(returnOf(funded));
  });

  it("moves prices by at most half the spread, the same way for the same seed", () => {
    const free = { ...input, costs: { ...NO_COSTS, halfSpreadPpm: 0 } };
    expect(stressLines(free, seededRandom(1)).noise).toBe(returnOf(free));
    const seeds = Array.from({ length: 20 }, (_, seed) => seed + 1);
    const apart = seeds.map((seed) => {
      const { noise } = stressLines(input, seededRandom(seed));
      expect(noise).toBe(stressLines(input, seededRandom(seed)).noise);
      return Math.abs(noise - returnOf(input));
    });
    // Entry and exit each move by 0.05 % at most
    expect(Math.max(...apart)).toBeLessThan(0.0015);
    expect(Math.max(...apart)).toBeGreaterThan(0.0002);
  });

  it("shows that a result lives from the time of its entry", () => {
    // Each rise lasts one bar: a bar later only its fall is left
    const spikes = hourlyBars(
      Array.from({ length: 40 }, (_, at) => (at % 4 === 2 ? [100, 110, 100, 110] : 100)),
    );
    const keys = [null, "OPEN_LONG", "CLOSE_LONG", null] as const;
    const fired = spikes.flatMap((_, at) => {
      const key = keys[at % 4];
      return key ? [[at, key] as const] : [];
    });
    const ahead = buildSimulation(
      spikes.map((bar, at) => (at % 4 === 3 ? { ...bar, open: 110 } : bar)),
      fired,
      { agent },
    );
    expect(returnOf(ahead)).toBeGreaterThan(1);
    expect(stressLines(ahead, seededRandom(1)).oneBarLater).toBeLessThan(0);
  });
});
