import { expect, it } from "vitest";
import { buildSimulatedAgent, FIRST_BAR_MS, hourlyBars, NO_COSTS } from "../../test/simulated.ts";
import type { MarketCosts } from "../contract/trading-costs.ts";
import type { TradingCosts } from "../domain/trading-costs.ts";
import { runHere } from "./run-simulation.ts";
import { type CallRoute, simulateWith } from "./simulate-agent.ts";

const HOUR_MS = 3_600_000;
const bars = hourlyBars(Array.from({ length: 200 }, () => 100));
const endMs = FIRST_BAR_MS + 200 * HOUR_MS;
const past = {
  halfSpreadPpmByHour: Array.from({ length: 24 }, () => 900),
  publishedFunding: { source: "Bybit", atMs: [endMs - 8 * HOUR_MS, endMs], ppm: [100, 200] },
};
const known: MarketCosts = {
  ...NO_COSTS,
  halfSpreadPpm: 250,
  fundingPpmPerDay: 300,
  ...past,
  quoteSymbol: "USDC",
  quoteDecimals: 6,
  sources: { fee: "", spread: "", impact: "", funding: "", minimum: "" },
};

/** Simulates four days with costs that the user changed, and returns the run's costs and what was asked for. */
async function costsWith(changed?: Partial<TradingCosts>) {
  const asked: unknown[] = [];
  const { request } = await simulateWith(
    {
      call: (async (_: unknown, call: unknown) => {
        asked.push(call);
        return known;
      }) as unknown as CallRoute,
      history: async () => ({ source: "exchange", bars, gaps: [], contradictions: [] }),
      run: async (run) => runHere(run),
      countTried: () => Promise.reject(new Error("Nothing is tried")),
    },
    { network: "paper", agent: buildSimulatedAgent(), days: 4, nowMs: endMs, costs: changed },
  );
  return { costs: request.costs, asked };
}

it("asks for the costs of its span and uses what is known of the past", async () => {
  const { costs, asked } = await costsWith();
  expect(asked).toMatchObject([{ query: { from: endMs - 96 * HOUR_MS, to: endMs } }]);
  const { halfSpreadPpmByHour, publishedFunding } = costs;
  expect(halfSpreadPpmByHour).toEqual(past.halfSpreadPpmByHour);
  expect(publishedFunding).toEqual({ atMs: past.publishedFunding.atMs, ppm: [100, 200] });
});

it("uses a cost that the user changed at every hour instead", async () => {
  const spread = (await costsWith({ halfSpreadPpm: 400, fundingPpmPerDay: 300 })).costs;
  expect([spread.halfSpreadPpm, spread.halfSpreadPpmByHour]).toEqual([400, undefined]);
  expect(spread.publishedFunding).toBeDefined();
  const funding = (await costsWith({ halfSpreadPpm: 250, fundingPpmPerDay: 0 })).costs;
  expect(funding.publishedFunding).toBeUndefined();
  expect(funding.halfSpreadPpmByHour).toBeDefined();
});
