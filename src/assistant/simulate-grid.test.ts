import { expect, it } from "vitest";
import { FIRST_BAR_MS, NO_COSTS, wanderingBars } from "../../test/simulated.ts";
import type { MarketCosts } from "../contract/trading-costs.ts";
import type { Bar } from "../strategy/bar-times.ts";
import { gridCell, outOfSampleMeasures, splitGrid } from "../strategy/grid.ts";
import { inputOf, runHere, type SimulationRequest } from "./run-simulation.ts";
import type { TriedVariant } from "./simulate-agent.ts";
import { simulateGrid } from "./simulate-tools.ts";
import { runTool, type ToolContext } from "./tool.ts";

const DAYS = 40;
const BARS = 24 * 60;
const endMs = FIRST_BAR_MS + BARS * 3_600_000;
const known: MarketCosts = {
  ...NO_COSTS,
  quoteSymbol: "USDC",
  quoteDecimals: 6,
  sources: { fee: "", spread: "", impact: "", funding: "", minimum: "" },
};

const average = (period: number) => ({
  kind: "indicator",
  name: "SMA",
  output: "value",
  parameters: [period],
});

const when = (name: string, is: string) => ({
  name,
  condition: { kind: "comparisons", all: [{ left: average(5), is, right: average(20) }] },
});

const agent = {
  venue: "drift",
  asset: "SOL",
  interval: "1h",
  slippagePercent: "5",
  alerts: [when("in", "crosses-above"), when("out", "crosses-below")],
  rules: [
    { action: "OPEN_LONG", conditions: [{ alert: "in", times: 1 }] },
    { action: "CLOSE_LONG", conditions: [{ alert: "out", times: 1 }] },
  ],
};

const VARY = [
  { parameter: "in: 1st SMA period", values: [4, 8, 16] },
  { parameter: "in: 2nd SMA period", values: [10, 15, 30] },
];

/** Asks the tool on some bars; returns its answer, the runs it made and the variants it counted. */
async function askGrid(bars: readonly Bar[], args: object = {}) {
  const runs: SimulationRequest[] = [];
  const counted: (readonly TriedVariant[])[] = [];
  const context = {
    agent: null,
    network: "practice",
    nowMs: endMs,
    maxBars: 60_000,
    call: async () => known,
    history: async () => ({ source: "exchange", bars, gaps: [], contradictions: [] }),
    run: async (request: SimulationRequest) => {
      runs.push(request);
      return runHere(request);
    },
    countTried: async (_: unknown, variants: readonly TriedVariant[]) => {
      counted.push(variants);
      return { count: 8, variance: 1, looks: 1 };
    },
  } as unknown as ToolContext;
  const asked = { agent, vary: VARY, days: DAYS, ...args };
  return { answer: await runTool(simulateGrid, asked, context), runs, counted };
}

it("compares variants by the first part alone, as the page does, and shows the rest of the best one only", async () => {
  const bars = wanderingBars(BARS, 5);
  const { answer, runs, counted } = await askGrid(bars);
  const { variants, best, bestKeptOut, comparedUntil } = answer;
  const rows = variants.map(({ values }) => values);
  // A fast average of 16 bars is none beside slow ones of 10 and 15
  expect(rows).toEqual([
    [4, 10],
    [4, 15],
    [4, 30],
    [8, 10],
    [8, 15],
    [8, 30],
    [16, 30],
  ]);
  expect(runs).toHaveLength(rows.length + 1);
  const whole = runs.at(-1) ?? expect.fail("nothing was run");
  const page = splitGrid(inputOf(whole), [], []);
  const cells = runs
    .slice(0, -1)
    .map((run) => gridCell({ input: { ...page.inSample.input, agent: run.agent }, ids: [] }, []));
  expect(variants.map(({ totalReturn }) => totalReturn)).toEqual(
    cells.map(({ totalReturn }) => totalReturn),
  );
  expect(best).toEqual(rows[variants.indexOf(variants.toSorted(byReturn)[0] as never)]);
  expect(bestKeptOut?.totalReturn).toBe(outOfSampleMeasures(page.whole, [])?.totalReturn);
  expect(counted).toHaveLength(1);
  expect(counted[0]?.map(({ isKeptOutSeen }) => isKeptOutSeen)).toEqual(
    rows.map((row) => row.join() === best?.join()),
  );

  const until = Date.parse(comparedUntil);
  const other = bars.map((bar) => (bar.closeTimeMs <= until ? bar : { ...bar, close: 1, low: 1 }));
  const changed = (await askGrid(other)).answer;
  expect(changed.variants).toEqual(variants);
  expect(changed.bestKeptOut).not.toEqual(bestKeptOut);
});

const byReturn = (one: { totalReturn: number }, other: { totalReturn: number }) =>
  other.totalReturn - one.totalReturn;

it("says of how many days all variants together can be asked", async () => {
  const long = askGrid([], { days: 365 });
  await expect(long).rejects.toThrow("These are 61320 bars; ask for at most 357 days.");
});
