import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { simulate } from "../src/strategy/simulate.ts";
import { buildSimulatedAgent, buildSimulation, FIRST_BAR_MS, NO_COSTS } from "./simulated.ts";

/** The example of the page, worked out by hand from its rules. */
interface Example {
  readonly bars: readonly (readonly [hour: number, ...prices: [number, number, number, number]])[];
  readonly trades: readonly Readonly<Record<string, string>>[];
  readonly endMoney: string;
}

const HOUR_MS = 3_600_000;

it("computes the numbers that docs/simulation.md works out", () => {
  const page = readFileSync(new URL("../docs/simulation.md", import.meta.url), "utf8");
  const example = JSON.parse(/```json\n([^`]+)```/.exec(page)?.[1] ?? "") as Example;
  const bars = example.bars.map(([hour, open, high, low, close]) => {
    const openTimeMs = FIRST_BAR_MS + hour * HOUR_MS;
    return { openTimeMs, closeTimeMs: openTimeMs + HOUR_MS, open, high, low, close, volume: 1 };
  });
  const plan = {
    stop: { at: { kind: "percent", bps: 300 } },
    targets: [{ at: { kind: "percent", bps: 400 }, closePercent: 50 }],
  } as const;
  const agent = buildSimulatedAgent({ positionSizePercent: 50, slippageBps: 500, plan });
  const costs = {
    ...NO_COSTS,
    feePpm: 350,
    halfSpreadPpm: 250,
    impactPpm: 1_000,
    fundingPpmPerDay: 300,
    baseStep: 10_000_000n,
  };
  const { trades, endMoney } = simulate(
    buildSimulation(bars, [[0, "OPEN_LONG"]], { agent, costs, startMoney: 1_000_000_000n }),
  );
  const told = trades.map((trade) =>
    Object.fromEntries(
      Object.keys(example.trades[0] ?? {}).map((name) => [
        name,
        `${trade[name as keyof typeof trade]}`,
      ]),
    ),
  );
  expect(told).toEqual(example.trades);
  expect(`${endMoney}`).toBe(example.endMoney);
});
