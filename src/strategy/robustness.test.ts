import { describe, expect, it } from "vitest";
import { buildSimulatedAgent, buildSimulation, hourlyBars } from "../../test/simulated.ts";
import type { OwnerLimits } from "../domain/owner-limits.ts";
import { gridParameters, spreadValues, withParameter } from "./grid.ts";
import { measuresOf } from "./measures.ts";
import { splitRun } from "./out-of-sample.ts";
import { seededRandom } from "./random.ts";
import { reportOf } from "./report.ts";
import { simulate } from "./simulate.ts";
import { NO_OWNER_LIMITS } from "../../test/owner-limits.ts";

/** A slow rise with swings of 1 and 2 %, and a long at every rise. */
const swings = Array.from({ length: 400 }, (_, at) => {
  const open = 100 + at / 10;
  const close = open * (at % 4 < 2 ? 1.002 : 0.9985);
  return [open, Math.max(open, close), Math.min(open, close), close];
});
const bars = hourlyBars(swings);
const fired = swings.map((_, at) => [at, at % 2 === 0 ? "OPEN_LONG" : "CLOSE_LONG"] as const);
const run = () => simulate(buildSimulation(bars, fired));

describe("measuresOf", () => {
  it("counts trades, gains and time in the market", () => {
    const four = hourlyBars([100, 100, 110, 110, 99, 99]);
    const alerts = [
      [0, "OPEN_LONG"],
      [1, "CLOSE_LONG"],
      [2, "OPEN_LONG"],
      [3, "CLOSE_LONG"],
    ] as const;
    const agent = buildSimulatedAgent({ slippageBps: 500 });
    const measures = measuresOf(simulate(buildSimulation(four, alerts, { agent })), 6);
    expect(measures).toMatchObject({
      closedTrades: 2,
      hitRate: 0.5,
      bestThreeShare: 1,
      days: 0.25,
    });
    expect(measures.exposure).toBeCloseTo(2 / 6, 12);
    // 9.94 assets gained 10 each; 0.994 of 1,099.4 at 110 then lost 11 each
    expect(measures.bestReturn).toBeCloseTo(0.0994, 6);
    expect(measures.worstReturn).toBeCloseTo(-0.0994, 6);
    expect(measures.profitFactor).toBeCloseTo(1 / 1.0994, 6);
    expect(measures.holdingReturn).toBeCloseTo(-0.01, 12);
    expect(measures).toMatchObject({ annualReturn: null, calmar: null });
  });
});

describe("splitRun", () => {
  it("holds out the last three tenths; both parts make up the whole", () => {
    const result = run();
    const split = splitRun(result, 6);
    const { inSample, outOfSample } = split ?? expect.fail("no split");
    expect(split?.splitAtMs).toBe(result.times[279]);
    const whole = measuresOf(result, 6);
    expect(inSample.closedTrades + outOfSample.closedTrades).toBe(whole.closedTrades);
    expect((1 + inSample.totalReturn) * (1 + outOfSample.totalReturn)).toBeCloseTo(
      1 + whole.totalReturn,
      6,
    );
    expect(inSample.costs + outOfSample.costs).toBeCloseTo(whole.costs, 6);
    expect(splitRun(simulate(buildSimulation(bars.slice(0, 9), [])), 6)).toBeNull();
  });
});

describe("a trade across the split", () => {
  const prices = Array.from({ length: 20 }, (_, at) => 100 + at);
  const held = (from: number, to: number) =>
    splitRun(
      simulate(
        buildSimulation(
          hourlyBars(prices),
          [
            [from, "OPEN_LONG"],
            [to, "CLOSE_LONG"],
          ],
          { agent: buildSimulatedAgent({ slippageBps: 500 }) },
        ),
      ),
      6,
    ) ?? expect.fail("no split");

  it("counts in each part with its bars and gain there", () => {
    // Held from bar 3 to bar 16 inclusive; the last six of twenty bars are kept out
    const { inSample, outOfSample } = held(2, 16);
    expect(inSample.exposure).toBeCloseTo(11 / 14, 12);
    expect(outOfSample.exposure).toBeCloseTo(3 / 6, 12);
    expect(inSample).toMatchObject({ closedTrades: 0, hitRate: null });
    expect(outOfSample).toMatchObject({ closedTrades: 1, hitRate: 1 });
    expect(outOfSample.bestReturn).toBeCloseTo(outOfSample.totalReturn, 9);
  });

  it("counts in one part only when it ends or begins at the split", () => {
    expect(held(2, 13).inSample).toMatchObject({ closedTrades: 1 });
    expect(held(2, 13).outOfSample).toMatchObject({ closedTrades: 0, exposure: 0 });
    expect(held(13, 16).inSample).toMatchObject({ closedTrades: 0, exposure: 0 });
    expect(held(13, 16).outOfSample).toMatchObject({ closedTrades: 1, exposure: 0.5 });
  });
});

describe("a grid", () => {
  const condition = {
    kind: "comparisons",
    all: [
      {
        left: { kind: "indicator", name: "RSI", output: "value", parameters: [14] },
        is: "crosses-below",
        right: { kind: "number", value: 30 },
      },
      { left: { kind: "price", field: "close" }, is: "falls-for", bars: 3 },
    ],
  } as const;
  const agent = buildSimulatedAgent({
    alerts: [
      { alertKey: "a", name: "Dip", condition },
      { alertKey: "b", name: "Weekly", condition: { kind: "every-bars", bars: 168 } },
      { alertKey: "c", name: "From outside" },
    ],
  });

  it("varies every number of the conditions", () => {
    expect(gridParameters(agent).map(({ label, value }) => `${label} ${value}`)).toEqual([
      "Dip: RSI period 14",
      "Dip: level 30",
      "Dip: bars in a row 3",
      "Weekly: every bars 168",
    ]);
    const [period, level] = gridParameters(agent);
    const other = withParameter(withParameter(agent, period?.id ?? "", 21), level?.id ?? "", 25);
    expect(gridParameters(other).map(({ value }) => value)).toEqual([21, 25, 3, 168]);
    expect(gridParameters(agent)[0]?.value).toBe(14);
  });

  it("spreads values around the present one, within the range, without duplicates", () => {
    const [period, level] = gridParameters(agent);
    expect(spreadValues(period ?? expect.fail("none"), 5)).toEqual([7, 11, 14, 18, 21]);
    expect(spreadValues({ ...(period ?? expect.fail("none")), value: 2 }, 5)).toEqual([2, 3, 4]);
    expect(spreadValues(level ?? expect.fail("none"), 3)).toEqual([15, 30, 45]);
  });
});

describe("the warnings", () => {
  const say = (...parts: Parameters<typeof buildSimulation>) =>
    reportOf(simulate(buildSimulation(...parts)), 6, seededRandom(1)).sentences.join(" ");

  it("say that few trades prove nothing, and a short history little", () => {
    expect(say(bars.slice(0, 48), fired.slice(0, 20))).toMatch(
      /^10 trades are too few to say anything\. .* 2 days show one mood of the market only\.$/,
    );
  });

  it("say why there were no trades", () => {
    expect(say(bars, [])).toMatch(/^No alert fired, so nothing was traded\./);
    expect(say(bars, [[1, "CLOSE_LONG"]])).toMatch(
      /^Alerts fired 1 time, but nothing was traded\./,
    );
    expect(say(bars.slice(0, 5), [[4, "OPEN_LONG"]])).toMatch(
      /^Nothing was traded yet: the last bar's signal is carried out at the next bar's open\./,
    );
    expect(say(bars.slice(0, 5), [[5, "OPEN_LONG"]])).toMatch(
      /^Nothing was traded yet: 1 alert came within a bar that has not closed\./,
    );
  });

  it("name refused orders, losses and forced closes", () => {
    const jumps = hourlyBars(Array.from({ length: 12 }, (_, at) => 100 * 1.1 ** at));
    const longs = jumps.map((_, at) => [at, "OPEN_LONG"] as const);
    expect(say(jumps, longs)).toContain("Five orders in a row did not fill within the slippage");
    const squeeze = hourlyBars([
      ...Array.from({ length: 10 }, () => 100),
      [150, 200, 150, 190],
      190,
    ]);
    expect(say(squeeze, [[0, "OPEN_SHORT"]])).toContain("The venue closed 1 position by force");
  });

  it("name the owner's limits that denied entries, and say that a pause lasts to the end", () => {
    const falls = hourlyBars(Array.from({ length: 30 }, (_, at) => 100 * 0.99 ** at));
    const longs = falls.map((_, at) => [at, at % 2 === 0 ? "OPEN_LONG" : "CLOSE_LONG"] as const);
    const limited = (limits: Partial<OwnerLimits>) => ({
      agent: buildSimulatedAgent({ slippageBps: 500, limits: { ...NO_OWNER_LIMITS, ...limits } }),
    });
    expect(say(falls, longs, limited({ lossesInRow: 2, tradesPerDay: 9 }))).toContain(
      "From 2024-01-01 on it was paused, because it had lost as often in a row as you allow: 13 entries were refused, since nobody resumes it in a run.",
    );
    expect(say(falls, longs, limited({ tradesPerDay: 2 }))).toContain(
      "11 entries were refused because the day had as many trades as you allow.",
    );
  });
});
