import { ATR, CCI, DonchianChannels, ROC, RSI, SMA, SuperTrend, WMA } from "trading-signals";
import { describe, expect, it } from "vitest";
import { randomBars } from "../../../test/random-conditions.ts";
import type { Bar } from "../../strategy/bar-times.ts";
import { createIndicator, type IndicatorName } from "../condition/indicator-table.ts";
import { CLOSE } from "./indicator.ts";

type Second = (bar: Bar) => unknown;

/**
 * The same indicators in the library trading-signals, where its definitions agree: it seeds an EMA differently, and its
 * ADX and MFI count rounding as movement.
 */
const SECOND: readonly [IndicatorName, readonly number[], () => Second][] = [
  ["SMA", [20], () => closing(new SMA(20))],
  ["WMA", [20], () => closing(new WMA(20))],
  ["RSI", [14], () => closing(new RSI(14))],
  ["ROC", [9], () => closing(new ROC(9))],
  ["ATR", [14], () => whole(new ATR(14))],
  ["CCI", [20], () => whole(new CCI(20))],
  ["DONCHIAN", [20], () => whole(new DonchianChannels(20))],
  ["SUPERTREND", [10, 3], () => whole(new SuperTrend({ interval: 10, multiplier: 3 }))],
];

const closing =
  (indicator: { add(price: number): unknown }): Second =>
  (bar) =>
    indicator.add(bar.close);
const whole =
  (indicator: { add(bar: Bar): unknown }): Second =>
  (bar) =>
    indicator.add(bar);

/** Returns the first figure of a result: the number itself, the upper band, the line; a rate of change in percent. */
function firstFigure(name: IndicatorName, answer: unknown): number {
  if (typeof answer === "number") return name === "ROC" ? answer * 100 : answer;
  return typeof answer === "object" && answer !== null
    ? (Object.entries(answer).find(([key]) => key === "upper" || key === "supertrend")?.[1] ??
        Number.NaN)
    : Number.NaN;
}

const figuresOf = (bar: Bar) =>
  Float64Array.of(bar.open, bar.high, bar.low, bar.close, bar.volume, bar.openTimeMs);

describe("indicators compared with a second implementation", () => {
  it.each(SECOND)("%s", (name, parameters, createSecond) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const indicator = createIndicator(name, parameters, CLOSE);
      const second = createSecond();
      for (const [index, bar] of randomBars(seed, 600).entries()) {
        indicator.next(figuresOf(bar));
        const expected = firstFigure(name, second(bar));
        // Skips the bars in which differently seeded averages still differ
        if (index < 500) continue;
        const value = indicator.values[0] ?? Number.NaN;
        expect(Math.abs(value - expected)).toBeLessThan(1e-6 * Math.max(1, Math.abs(expected)));
      }
    }
  });
});
