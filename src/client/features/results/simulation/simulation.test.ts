import { describe, expect, it } from "vitest";
import { buildSimulation, hourlyBars, NO_COSTS, SPOT } from "../../../../../test/simulated.ts";
import type { OwnerLimits } from "../../../../domain/owner-limits.ts";
import { barsOf, toColumns } from "../../../../strategy/bar-times.ts";
import { monthlyReturnsOfBars } from "../../../../domain/measures/monthly-returns.ts";
import { seededRandom } from "../../../../strategy/random.ts";
import { reportOf } from "../../../../strategy/report.ts";
import { simulate } from "../../../../strategy/simulate.ts";
import type { DailyLimits, SimulationCosts } from "../../../../strategy/simulation.ts";
import { dailyLimitsOf } from "../../../../assistant/described-agent.ts";
import { inputHash } from "../../../../assistant/run-simulation.ts";
import { type AgentReport, barMinutesOf } from "../../../../assistant/simulate-agent.ts";
import { simulatedAgent } from "../../../../assistant/simulated-agent.ts";
import { assumptionLines, filledForm, readForm, readPpm } from "./assumption-lines.ts";
import { barsAround, equitySeries } from "./equity-chart.tsx";
import { runJson, tradesCsv } from "./trades-card.tsx";
import { priceAgreement } from "./firing-records.ts";
import { lineOf, linePath, scaleOf, thinned } from "../../../ui/curve.ts";
import { ratioText, shareText } from "./share-text.ts";
import { NO_OWNER_LIMITS } from "../../../../../test/owner-limits.ts";

const bars = hourlyBars([100, 100, 110, 110, 99]);
const { bars: _, ...input } = buildSimulation(bars, [
  [0, "OPEN_LONG"],
  [3, "CLOSE_LONG"],
]);
const request = { ...input, columns: toColumns(bars), seed: 1 };
const result = simulate({ ...input, bars });
const done: AgentReport = {
  network: "practice",
  request,
  report: { ...reportOf(result, 6, seededRandom(1)), inputHash: inputHash(request), variant: "" },
  known: {
    ...NO_COSTS,
    quoteSymbol: "USDC",
    quoteDecimals: 6,
    sources: { fee: "", spread: "", impact: "", funding: "", minimum: "" },
  },
  source: "practice market",
  contradictions: 0,
  barMinutes: 60,
};

describe("the form of assumptions", () => {
  it("shows the venue's costs as percent and reads them back", () => {
    const known = { ...done.known, feePpm: 350, halfSpreadPpm: 250, fundingPpmPerDay: -40 };
    const form = filledForm(known, "1000");
    expect(form.costs).toMatchObject({ feePpm: "0.035", fundingPpmPerDay: "-0.004" });
    expect(readForm(form, 6)).toMatchObject({
      ok: true,
      value: { startMoney: 1_000_000_000n, costs: { feePpm: 350, fundingPpmPerDay: -40 } },
    });
  });

  it.each([
    ["0,05", 500],
    ["10", 100_000],
    ["10.1", null],
    ["-1", null],
    ["much", null],
    ["", null],
  ])("reads %s as %s millionths", (text, ppm) => {
    expect(readPpm(text)).toBe(ppm);
  });

  it("names every field that cannot be read", () => {
    const form = filledForm(done.known, "0");
    expect(readForm({ ...form, costs: { ...form.costs, feePpm: "x" } }, 6)).toEqual({
      ok: false,
      wrong: ["money", "feePpm"],
    });
  });
});

describe("the assumptions", () => {
  const linesWith = (limits: Partial<OwnerLimits>) => {
    const agent = { ...request.agent, limits: { ...NO_OWNER_LIMITS, ...limits } };
    return assumptionLines({ ...done, request: { ...request, agent } }).join("\n");
  };

  it("name the owner's limits in force, and the one that cannot be simulated", () => {
    const lines = linesWith({ dayLossBps: 250, tradesPerDay: 4, assetShareBps: 5_000 });
    expect(lines).toContain(
      "Your limits hold as they stand now: largest loss a day 2.5%, trades a day 4.",
    );
    expect(lines).toContain(
      `Your limit "most of your agents' money in one asset 50%" depends on your other agents and is not simulated.`,
    );
    expect(linesWith({})).not.toContain("Your limit");
  });
});

describe("the assumptions about costs of the past", () => {
  const linesOn = (network: AgentReport["network"], costs: Partial<SimulationCosts>) =>
    assumptionLines({
      ...done,
      network,
      known: { ...done.known, publishedFunding: { source: "Bybit", atMs: [], ppm: [] } },
      request: { ...request, costs: { ...request.costs, ...costs } },
    }).join("\n");

  it("name what is known of the past, and what stands in for the rest", () => {
    const lines = linesOn("paper", {
      halfSpreadPpmByHour: [100, null, 200],
      publishedFunding: { atMs: [Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 6)], ppm: [1, 2] },
    });
    expect(lines).toContain(
      "or what live prices had in that hour of the day if that is more; 2 of",
    );
    expect(lines).toContain(
      "Funding is what Bybit published for its own perpetual, 2 settlements since 2026-01-05; where these are missing it is the built-in exchange's as it stands.",
    );
  });

  it.each([
    ["practice", "the built-in exchange's as it stands"],
    ["mainnet", "the exchange's of today"],
  ] as const)("say on %s that nothing is", (network, present) => {
    const lines = linesOn(network, {});
    expect(lines).toContain(`Spread and impact are ${present}, the same at every hour`);
    expect(lines).toContain(`Funding is ${present}: no rates published`);
  });
});

describe("the assumptions of a spot market", () => {
  const linesWith = (dailyLimits: DailyLimits | null) =>
    assumptionLines({
      ...done,
      request: { ...request, agent: { ...request.agent, market: SPOT, dailyLimits } },
    });

  it("name the daily limits in force, or say that there are none", () => {
    const limits = { quote: 250_000_000n, base: 1_500_000_000n };
    expect(linesWith(limits)).toContain(
      "The trading key's daily limits hold as they are approved now: it spends at most 250 USDC and sells at most 1.5 SOL a day. Both are unused at the start of the run.",
    );
    expect(linesWith(null).at(-1)).toMatch(/^No daily limit of the trading key is applied/);
  });
});

describe("the daily limits of an agent", () => {
  const limit = { amount: "250", period: "day" } as const;
  const limits = [
    { ...limit, symbol: "USDC" },
    { ...limit, symbol: "SOL", amount: "1.5" },
  ] as const;

  it("are the approved limits of its market, whatever is left of them today", () => {
    expect(dailyLimitsOf({ quoteSymbol: "USDC", limits }, SPOT)).toEqual({
      quote: 250_000_000n,
      base: 1_500_000_000n,
    });
  });

  it.each([
    ["another asset", [limits[0], { ...limits[1], symbol: "JUP" }]],
    ["another period", [{ ...limits[0], period: "week" as const }, limits[1]]],
    ["one of two", [limits[0]]],
    ["nothing that could be read", null],
  ])("are not known with %s", (_, others) => {
    expect(dailyLimitsOf({ quoteSymbol: "USDC", limits: others }, SPOT)).toBeNull();
  });
});

describe("the chart", () => {
  it("keeps the peak of many figures in one column", () => {
    const figures = Array.from({ length: 1_000 }, (_, at) => (at === 501 ? 9 : at % 2));
    const points = thinned({ times: [...figures.keys()], values: figures }, 10);
    const path = linePath(points, { from: 0, to: 999 }, scaleOf([lineOf(points)], 0));
    expect(path.split("L").length).toBeLessThanOrEqual(20);
    expect(path).toContain(" 0.00");
  });

  it("compares the account with the asset and says how far it is below its peak", () => {
    const { holding, drawdown, equity } = equitySeries(result, 6);
    expect([...holding]).toEqual([1000, 1000, 1100, 1100, 990]);
    expect(drawdown[3]).toBeCloseTo(0, 12);
    expect(drawdown[4]).toBeCloseTo((equity[4] ?? 0) / (equity[3] ?? 1) - 1, 12);
  });

  it("shows the bars around a trade", () => {
    const [trade = expect.fail("no trade")] = result.trades;
    expect(barsAround(result.times, trade)).toEqual({ from: 0, to: 5 });
  });
});

describe("exports", () => {
  it("contain exact amounts and their inputs", () => {
    const json = JSON.parse(runJson(done)) as Record<string, unknown>;
    expect(json).toMatchObject({
      inputHash: done.report.inputHash,
      input: { startMoney: "1000000000", seed: 1 },
      bars: { count: 5 },
    });
    expect(tradesCsv(done).split("\r\n")[1]).toMatch(
      /^2024-01-01T01:00:00.000Z,2024-01-01T04:00:00.000Z,long,9.94,100,99,-9.94,0,0,3,signal$/,
    );
  });

  it("have a hash of every input", () => {
    expect(inputHash(request)).toBe(inputHash({ ...request, columns: toColumns(bars) }));
    expect(inputHash({ ...request, seed: 2 })).not.toBe(inputHash(request));
    const other = toColumns(bars.map((bar, at) => (at === 2 ? { ...bar, volume: 2 } : bar)));
    expect(inputHash({ ...request, columns: other })).not.toBe(inputHash(request));
    const beside = bars.map((bar, at) => {
      const before = at === 2 ? undefined : bars[at - 1];
      return { ...bar, beside: before === undefined ? {} : { BTC: before } };
    });
    const columns = toColumns(beside);
    expect(barsOf(columns)).toEqual(beside);
    expect(inputHash({ ...request, columns })).not.toBe(inputHash(request));
  });
});

describe("the months", () => {
  it("end with their last bar, including a close at midnight", () => {
    const times = ["2024-01-31T23:00Z", "2024-02-01T00:00Z", "2024-02-01T01:00Z"].map(Date.parse);
    expect(monthlyReturnsOfBars(100, times, [105, 110, 99])).toMatchObject([
      { month: "2024-01", rate: expect.closeTo(0.1, 12) as number },
      { month: "2024-02", rate: expect.closeTo(-0.1, 12) as number },
    ]);
  });
});

describe("months with a year without bars between them", () => {
  it("are two separate months", () => {
    const times = ["2023-02-10T00:00Z", "2024-02-10T00:00Z"].map(Date.parse);
    const months = monthlyReturnsOfBars(100, times, [110, 121]).map(({ month }) => month);
    expect(months).toEqual(["2023-02", "2024-02"]);
  });
});

describe("simulatedAgent", () => {
  const described = {
    venue: "drift",
    marketId: "SOL-PERP",
    interval: "90m",
    positionSizePercent: 50,
    slippagePercent: 0.5,
    limits: { tradesPerDay: 3 },
  } as const;

  it("joins alerts and rules by name and leaves rules without an action out", () => {
    const rule = { conditions: [{ alertName: "DIP " }] };
    const agent = simulatedAgent(
      described,
      [{ name: "Dip" }],
      [
        { ...rule, action: "OPEN_LONG" },
        { ...rule, action: "" },
      ],
    );
    expect(agent).toMatchObject({
      intervalMinutes: 90,
      slippageBps: 50,
      limits: { ...NO_OWNER_LIMITS, tradesPerDay: 3 },
      rules: [{ action: "OPEN_LONG", conditions: [{ alertKey: "dip", requiredCount: 1 }] }],
      alerts: [{ alertKey: "dip", name: "Dip" }],
    });
    expect(agent?.rules).toHaveLength(1);
  });

  it("is null without a market or an interval", () => {
    expect(simulatedAgent({ ...described, interval: "soon" }, [], [])).toBeNull();
    expect(simulatedAgent({ ...described, marketId: "DOGE" }, [], [])).toBeNull();
  });
});

describe("figures in words", () => {
  it.each([
    [0.1234, "+12.3%"],
    [-0.02, "−2.0%"],
    [0.0001, "0.0%"],
    [null, "–"],
  ])("%s", (share, text) => {
    expect(shareText(share, true)).toBe(text);
  });

  it("shows no ratio where it is undefined", () => {
    expect(ratioText(null)).toBe("–");
    expect(ratioText(-1.234)).toBe("−1.23");
  });
});

describe("the bars of alerts from outside", () => {
  it.each([
    [60, 7, "recorded", 1],
    [60, 365, "recorded", 60],
    [60, 200, "recorded", 15],
    [1_440, 2_000, "recorded", 240],
    [7, 3_000, "recorded", 7],
    [60, 7, "conditions", 60],
  ] as const)(
    "of %i minutes over %i days, %s, have %4$i minutes",
    (minutes, days, kind, expected) => {
      expect(barMinutesOf(minutes, days, kind)).toBe(expected);
    },
  );

  it("match a file whose prices lie within one or several of the agent's bars", () => {
    const openMs = bars[2]?.openTimeMs ?? 0;
    const rows = [
      { atMs: openMs, price: 99.1 },
      { atMs: openMs, price: 105 },
      { atMs: openMs, price: 112 },
      { atMs: openMs, price: null },
    ];
    expect(priceAgreement(rows, bars, 60)).toBe(0);
    expect(priceAgreement(rows, bars, 180)).toBeCloseTo(1 / 3, 12);
    expect(priceAgreement(rows, bars.slice(0, 1), 60)).toBeNull();
  });
});
