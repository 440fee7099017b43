import { describe, expect, it } from "vitest";
import { buildAgent } from "../../../../../test/shown-agent.ts";
import type { Performance } from "../../../../contract/performance.ts";
import { divergenceOf } from "../../../../strategy/replay.ts";
import { figuresOf } from "./use-readiness.ts";

const HOUR_S = 3_600;
const BEGUN_S = Date.UTC(2026, 10, 1, 8) / 1_000;
const point = (hours: number, value: string | null) => ({
  time: BEGUN_S + hours * HOUR_S,
  value,
  growth: null,
  drawdown: null,
});

const performance = (changes: Partial<Performance> = {}) =>
  ({
    to: "2026-11-15T07:59:00.000Z",
    curve: [point(0, "500"), point(24, null), point(48, "510")],
    returns: { timeWeighted: 0.02, moneyWeighted: null },
    fall: { depth: 0.07, peakAt: "2026-11-02T08:00:00.000Z", lowAt: "2026-11-03T08:00:00.000Z" },
    trades: { known: 18, unknown: 2 },
    ...changes,
  }) as Performance;

const recorded = {
  bar: { days: 14, trades: 20, fallPercent: 20, matchedPercent: 95, luckPercent: 95 },
  since: "2026-11-01T08:00:00.000Z",
  missedAlerts: 1,
  waitedExits: 2,
  withoutPrices: [{ from: "2026-11-02T08:00:00.000Z", to: "2026-11-02T18:00:00.000Z" }],
  live: [],
};

const figures = (changes: object = {}, of: Partial<Performance> = {}) =>
  figuresOf({
    agent: buildAgent({ limits: { fallBps: 1_500 }, slippagePercent: 0.29 }),
    recorded,
    performance: performance(of),
    divergence: divergenceOf([]),
    year: { luck: 0.9, tries: 4, keptOutReturn: 0.01 },
    run: undefined,
    missingSince: null,
    ...changes,
  });

describe("the figures of an agent's readiness", () => {
  it("are whole days since the first booked money, all closed trades, and what was recorded", () => {
    expect(figures()).toMatchObject({
      days: 13,
      trades: 20,
      totalReturn: 0.02,
      fall: 0.07,
      fallLimit: 0.15,
      slippageBps: 29,
      missedAlerts: 1,
      waitedExits: 2,
      hoursWithoutPrices: 10,
    });
  });

  it("say nothing of return and fall before there are two values", () => {
    const none = figures({}, { curve: [point(0, "500"), point(1, null)] });
    expect([none.totalReturn, none.fall]).toEqual([null, null]);
    expect(figures({}, { fall: null }).fall).toBe(0);
    expect(figures({}, { curve: [] }).days).toBe(0);
  });

  it("count prices that are missing still", () => {
    expect(figures({ missingSince: "2026-11-15T04:59:00.000Z" }).hoursWithoutPrices).toBe(13);
  });
});
