import { describe, expect, it } from "vitest";
import { buildSimulation, FIRST_BAR_MS } from "../../test/simulated.ts";
import type { Bar } from "./bar-times.ts";
import { measuresOf } from "./measures.ts";
import { seededRandom } from "./random.ts";
import { reportOf } from "./report.ts";
import { simulate } from "./simulate.ts";
import type { SimulationResult } from "./simulation.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** A run whose account has these returns on bars that open at these times. */
function runOf(
  returns: readonly number[],
  lengthMs: number,
  opensAt: (at: number) => number = (at) => FIRST_BAR_MS + at * lengthMs,
): SimulationResult {
  let worth = 1_000;
  const equity = Float64Array.from(returns, (each) => (worth *= 1 + each));
  const bars = returns.map((_, at): Bar => {
    const openTimeMs = opensAt(at);
    const closeTimeMs = openTimeMs + lengthMs;
    return { openTimeMs, closeTimeMs, open: 1, high: 1, low: 1, close: 1, volume: 1 };
  });
  const idle = simulate(buildSimulation(bars, []));
  return { ...idle, equity, endMoney: BigInt(Math.round(worth * 1e6)) };
}

// Returns and Sharpe ratio at 252 periods a year of quantopian/empyrical, empyrical/tests/test_stats.py
const MIXED = [0.01, 0.1, -0.04, 0.02, 0.03, 0.02, 0.01, -0.1];
const MIXED_SHARPE = 1.7238613961706866;

describe("measures use the bars' real time", () => {
  it("a loss of 6.9 % on 52 weekly bars is 6.9 % a year, hand-worked", () => {
    const weekly = Array.from({ length: 52 }, () => 0.931 ** (1 / 52) - 1);
    const measures = measuresOf(runOf(weekly, WEEK_MS), 6);
    expect(measures.totalReturn).toBeCloseTo(-0.069, 6);
    expect(measures.days).toBe(364);
    expect(measures.annualReturn).toBeCloseTo(0.931 ** (365 / 364) - 1, 6);
  });

  it.each([
    ["a day", DAY_MS],
    ["two days", 2 * DAY_MS],
    ["a week", WEEK_MS],
  ])("the Sharpe ratio of bars of %s is the published one at their number a year", (_, length) => {
    const perYear = (365 * DAY_MS) / length;
    const { sharpe, sortino } = measuresOf(runOf(MIXED, length), 6);
    expect(sharpe).toBeCloseTo(MIXED_SHARPE * Math.sqrt(perYear / 252), 8);
    // Published at 252 a year
    expect(sortino).toBeCloseTo(2.605531251673693 * Math.sqrt(perYear / 252), 8);
  });

  it("the same account measured on bars of an hour or a day has the same measures", () => {
    const daily = measuresOf(runOf(MIXED, DAY_MS), 6);
    const hourly = MIXED.flatMap((each) => [...Array.from({ length: 23 }, () => 0), each]);
    const same = measuresOf(runOf(hourly, HOUR_MS), 6);
    for (const name of ["days", "sharpe", "sortino", "totalReturn", "deflatedSharpe"] as const) {
      expect(same[name]).toBeCloseTo(daily[name] ?? expect.fail(name), 9);
    }
  });

  it("days without bars count: weekends of a stock, and a hole in the history", () => {
    const year = Array.from({ length: 260 }, (_, at) => (at % 2 === 0 ? 0.011 : -0.009));
    const weekdays = (at: number) => FIRST_BAR_MS + (Math.floor(at / 5) * 7 + (at % 5)) * DAY_MS;
    const measures = measuresOf(runOf(year, DAY_MS, weekdays), 6);
    // From Monday to the last Friday's close
    const days = 52 * 7 - 2;
    expect(measures.days).toBe(days);
    expect(measures.annualReturn).toBeCloseTo((1 + measures.totalReturn) ** (365 / days) - 1, 9);
    const deviation = 0.01 * Math.sqrt(260 / 259);
    expect(measures.sharpe).toBeCloseTo((0.001 / deviation) * Math.sqrt((260 * 365) / days), 9);
    const hole = (at: number) => FIRST_BAR_MS + (at < 20 ? at : at + 345) * DAY_MS;
    const gapped = measuresOf(runOf(year.slice(0, 40), DAY_MS, hole), 6);
    expect(gapped.days).toBe(385);
    expect(gapped.annualReturn).toBeCloseTo((1 + gapped.totalReturn) ** (365 / 385) - 1, 9);
  });

  it("what needs 30 or 180 days counts days, not bars", () => {
    expect(measuresOf(runOf(MIXED, DAY_MS), 6).annualReturn).toBeNull();
    expect(measuresOf(runOf(MIXED, WEEK_MS), 6).annualReturn).not.toBeNull();
    expect(measuresOf(runOf(MIXED, WEEK_MS), 6).calmar).not.toBeNull();
    const say = (length: number) =>
      reportOf(runOf(MIXED, length), 6, seededRandom(1)).sentences.join(" ");
    expect(say(WEEK_MS)).toContain("56 days show one mood of the market only.");
    expect(say(30 * DAY_MS)).not.toContain("mood of the market");
  });
});

describe("funding of a simulated position", () => {
  it("is paid for the time of missing bars too", () => {
    const opens = [0, 1, 2, 26, 27];
    const bars = opens.map((hour): Bar => {
      const openTimeMs = FIRST_BAR_MS + hour * HOUR_MS;
      const prices = { open: 100, high: 100, low: 100, close: 100, volume: 1 };
      return { openTimeMs, closeTimeMs: openTimeMs + HOUR_MS, ...prices };
    });
    const input = buildSimulation(bars, [
      [0, "OPEN_LONG"],
      [26, "CLOSE_LONG"],
    ]);
    const costs = { ...input.costs, fundingPpmPerDay: 1_000 };
    const [trade = expect.fail("no trade")] = simulate({ ...input, costs }).trades;
    expect(trade.exitedAtMs).toBe(FIRST_BAR_MS + 27 * HOUR_MS);
    // 26 hours at a thousandth of the position a day
    expect(Number(trade.funding) / Number(trade.entryQuote)).toBeCloseTo((0.001 * 26) / 24, 7);
  });
});
