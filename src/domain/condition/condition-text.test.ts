import { describe, expect, it } from "vitest";
import type { AlertCondition, Comparison } from "./condition.ts";
import { conditionText, operandText } from "./condition-text.ts";

const rsi = { kind: "indicator", name: "RSI", output: "value", parameters: [14] } as const;
const when = (...all: Comparison[]): AlertCondition => ({ kind: "comparisons", all });
const pair = (is: "above" | "below" | "crosses-above" | "crosses-below"): Comparison => ({
  left: rsi,
  is,
  right: { kind: "number", value: 30 },
});

const cases: readonly [AlertCondition, string][] = [
  [when(pair("crosses-above")), "RSI 14 crosses above 30"],
  [when(pair("crosses-below")), "RSI 14 crosses below 30"],
  [when(pair("above")), "RSI 14 above 30"],
  [when(pair("below")), "RSI 14 below 30"],
  [
    when({ left: { ...rsi, source: "high" }, is: "rises-for", bars: 1 }),
    "RSI 14 of high rises for 1 bar",
  ],
  [when({ left: rsi, is: "falls-for", bars: 3 }), "RSI 14 falls for 3 bars"],
  [
    when(
      {
        left: { kind: "price", field: "close" },
        is: "above",
        right: {
          kind: "indicator",
          name: "DONCHIAN",
          output: "high",
          parameters: [20],
          barsBack: 1,
        },
      },
      {
        left: { kind: "position", figure: "drop-from-best-percent" },
        is: "below",
        right: { kind: "number", value: 2.5 },
      },
    ),
    "close above Donchian 20 high 1 bar ago and drop from best in % below 2.5",
  ],
  [
    {
      kind: "comparisons",
      all: [pair("above")],
      session: { days: [5, 1, 2, 3, 4], fromUtc: "13:30", toUtc: "20:00" },
    },
    "RSI 14 above 30, Mon–Fri 13:30–20:00 UTC",
  ],
  [
    {
      kind: "comparisons",
      all: [pair("above")],
      session: { days: [6, 7], fromUtc: "00:00", toUtc: "00:00" },
    },
    "RSI 14 above 30, Sat, Sun",
  ],
  [{ kind: "every-bars", bars: 1 }, "every bar"],
  [{ kind: "every-bars", bars: 24 }, "every 24 bars"],
  [{ kind: "time-of-day", atUtc: "08:00" }, "at 08:00 UTC"],
  [{ kind: "time-of-day", atUtc: "08:00", days: [1, 2, 3, 4, 5, 6, 7] }, "at 08:00 UTC, every day"],
];

it("names the asset before the figure and the longer bars after it", () => {
  const on = { interval: "4h" };
  expect(operandText({ kind: "price", field: "close", on })).toBe("close on 4h");
  expect(
    operandText({
      kind: "indicator",
      name: "EMA",
      output: "value",
      parameters: [20],
      source: "high",
      barsBack: 2,
      on,
    }),
  ).toBe("EMA 20 of high on 4h 2 bars ago");
  const beside = { asset: "BTC" };
  expect(operandText({ kind: "price", field: "close", on: beside })).toBe("BTC close");
  expect(
    operandText({ kind: "price", field: "close", barsBack: 1, on: { ...on, ...beside } }),
  ).toBe("BTC close on 4h 1 bar ago");
});

describe("a condition in words", () => {
  it.each(cases)("%j reads %s", (condition, text) => {
    expect(conditionText(condition)).toBe(text);
  });
});
