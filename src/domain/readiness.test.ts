import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  belowBar,
  READINESS_LINES,
  READINESS_WORDS,
  type ReadinessFigures,
  type ReadinessLineName,
  readinessOf,
  USUAL_READINESS_BAR,
} from "./readiness.ts";

const READY: ReadinessFigures = {
  days: 14,
  trades: 20,
  totalReturn: -0.01,
  holdingReturn: 0.02,
  fall: 0.2,
  fallLimit: null,
  compared: 40,
  matched: 38,
  medianBps: 50,
  slippageBps: 50,
  luck: 0.95,
  tries: 12,
  keptOutReturn: 0,
  missedAlerts: 0,
  waitedExits: 0,
  hoursWithoutPrices: 0,
};

const unmet = (changes: Partial<ReadinessFigures>): readonly ReadinessLineName[] =>
  readinessOf({ ...READY, ...changes }, USUAL_READINESS_BAR)
    .filter(({ isMet }) => !isMet)
    .map(({ line }) => line);

describe("readinessOf", () => {
  it("is met exactly at the bar", () => {
    expect(unmet({})).toEqual([]);
    expect(belowBar(readinessOf(READY, USUAL_READINESS_BAR))).toBeNull();
  });

  it.each<[Partial<ReadinessFigures>, ReadinessLineName]>([
    [{ days: 13 }, "lived"],
    [{ trades: 19 }, "lived"],
    [{ fall: 0.201 }, "earned"],
    [{ fall: null }, "earned"],
    [{ fall: 0.15, fallLimit: 0.1 }, "earned"],
    [{ matched: 37 }, "parted"],
    [{ medianBps: 50.1 }, "parted"],
    [{ medianBps: null }, "parted"],
    [{ compared: 0, matched: 0 }, "parted"],
    [{ luck: 0.949 }, "overfit"],
    [{ luck: null }, "overfit"],
    [{ keptOutReturn: -0.001 }, "overfit"],
    [{ keptOutReturn: null }, "overfit"],
    [{ missedAlerts: 1 }, "machine"],
    [{ waitedExits: 1 }, "machine"],
    [{ hoursWithoutPrices: 0.5 }, "machine"],
  ])("%o is below the bar on one line", (changes, line) => {
    expect(unmet(changes)).toEqual([line]);
  });

  it("says what is missing, in figures", () => {
    const figures = { ...READY, days: 3, trades: 1, missedAlerts: 2, waitedExits: 1 };
    expect(belowBar(readinessOf(figures, USUAL_READINESS_BAR))).toBe(
      "lived: 3 of 14 days, 1 of 20 closed trades; machine: 2 alerts missed, 1 exit waited",
    );
  });

  it("judges the deepest fall and calls it so: a loss may be above the bar", () => {
    const line = readinessOf(READY, USUAL_READINESS_BAR)[1];
    expect(line).toMatchObject({
      isMet: true,
      text: "fell 20%, 20% allowed; made -1%, holding 2%",
    });
    expect(READINESS_WORDS.earned).toBe("Deepest fall");
  });

  it("never becomes ready by worse figures", () => {
    const lines = fc.record({
      days: fc.nat(30),
      trades: fc.nat(40),
      fall: fc.double({ min: 0, max: 1, noNaN: true }),
      matched: fc.nat(40),
      luck: fc.double({ min: 0, max: 1, noNaN: true }),
      missedAlerts: fc.nat(2),
    });
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const worse = {
          days: Math.min(one.days, other.days),
          trades: Math.min(one.trades, other.trades),
          fall: Math.max(one.fall, other.fall),
          matched: Math.min(one.matched, other.matched),
          luck: Math.min(one.luck, other.luck),
          missedAlerts: Math.max(one.missedAlerts, other.missedAlerts),
        };
        const below = new Set(unmet(worse));
        for (const line of unmet(one)) expect(below).toContain(line);
      }),
    );
    expect(READINESS_LINES).toHaveLength(5);
  });
});
