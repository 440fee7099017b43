import { describe, expect, it } from "vitest";
import { checkCondition } from "./check-condition.ts";
import type { AlertCondition, Comparison, Operand, OtherBars } from "./condition.ts";
import { INDICATORS, type IndicatorName } from "./indicator-table.ts";

const ASSETS = new Set(["SOL", "BTC"]);
const close: Operand = { kind: "price", field: "close" };
const number = (value: number): Operand => ({ kind: "number", value });
const indicator = (
  name: string,
  parameters: readonly number[],
  more: { output?: string; source?: "high"; barsBack?: number; on?: OtherBars } = {},
): Operand => ({
  kind: "indicator",
  // A condition from the wire may name an unknown indicator
  name: name as IndicatorName,
  output: "value",
  parameters,
  ...more,
});
const above = (left: Operand, right: Operand = number(1)): Comparison => ({
  left,
  is: "above",
  right,
});
const when = (...all: Comparison[]): AlertCondition => ({ kind: "comparisons", all });
const during = (session: {
  days?: number[];
  fromUtc?: string;
  toUtc?: string;
}): AlertCondition => ({
  kind: "comparisons",
  all: [above(close)],
  session: { days: [1], fromUtc: "08:00", toUtc: "16:00", ...session },
});

const refused: readonly [string, AlertCondition, string][] = [
  ["no comparison", when(), "all"],
  ["five comparisons", when(...Array.from({ length: 5 }, () => above(close))), "all"],
  ["unknown indicator", when(above(indicator("HULL", [9]))), "all.0.left.name"],
  ["a name every object has", when(above(indicator("toString", []))), "all.0.left.name"],
  ["period too long", when(above(indicator("RSI", [501]))), "all.0.left.parameters.0"],
  ["period too short", when(above(indicator("RSI", [1]))), "all.0.left.parameters.0"],
  ["broken period", when(above(indicator("SMA", [2.5]))), "all.0.left.parameters.0"],
  ["no number", when(above(indicator("SMA", [Number.NaN]))), "all.0.left.parameters.0"],
  [
    "deviations out of range",
    when(above(indicator("BB", [20, 20.5], { output: "upper" }))),
    "all.0.left.parameters.1",
  ],
  ["too few parameters", when(above(indicator("SMA", []))), "all.0.left.parameters"],
  ["unknown output", when(above(indicator("SMA", [20], { output: "k" }))), "all.0.left.output"],
  [
    "fast not shorter than slow",
    when(above(indicator("MACD", [26, 26, 9], { output: "line" }))),
    "all.0.left.parameters.0",
  ],
  [
    "source of a fixed indicator",
    when(above(indicator("ATR", [14], { source: "high" }))),
    "all.0.left.source",
  ],
  [
    "51 bars back",
    when(above(close, indicator("SMA", [20], { barsBack: 51 }))),
    "all.0.right.barsBack",
  ],
  ["price 51 bars back", when(above({ ...close, barsBack: 51 })), "all.0.left.barsBack"],
  ["endless number", when(above(close, number(Number.POSITIVE_INFINITY))), "all.0.right.value"],
  [
    "crossing of two numbers",
    when({ left: number(1), is: "crosses-above", right: number(2) }),
    "all.0.right",
  ],
  ["two numbers", when(above(number(2))), "all.0.right"],
  ["a number that rises", when({ left: number(2), is: "rises-for", bars: 2 }), "all.0.left"],
  ["rises for no bar", when({ left: close, is: "rises-for", bars: 0 }), "all.0.bars"],
  ["falls for 51 bars", when({ left: close, is: "falls-for", bars: 51 }), "all.0.bars"],
  ["level of OBV", when(above(indicator("OBV", []))), "all.0.right"],
  [
    "second comparison",
    when(above(close), above(indicator("SMA", [0]))),
    "all.1.left.parameters.0",
  ],
  ["no day", during({ days: [] }), "session.days"],
  ["day 8", during({ days: [8] }), "session.days"],
  ["a day twice", during({ days: [1, 1] }), "session.days"],
  ["24:00", during({ fromUtc: "24:00" }), "session.fromUtc"],
  ["8:00", during({ toUtc: "8:00" }), "session.toUtc"],
  ["no interval", when(above({ ...close, on: { interval: "4 hours" } })), "all.0.left.on"],
  ["longer than a week", when(above({ ...close, on: { interval: "2w" } })), "all.0.left.on"],
  ["the agent's own interval", when(above({ ...close, on: { interval: "1h" } })), "all.0.left.on"],
  ["no multiple", when(above(close, { ...close, on: { interval: "90m" } })), "all.0.right.on"],
  ["an asset without candles", when(above({ ...close, on: { asset: "DOGE" } })), "all.0.left.on"],
  [
    "no multiple on another asset",
    when(above(close, { ...close, on: { asset: "BTC", interval: "90m" } })),
    "all.0.right.on",
  ],
  ["no whole days", when(above({ ...close, on: { interval: "36h" } })), "all.0.left.on"],
  [
    "a level of other bars",
    when(above(indicator("OBV", [], { on: { interval: "4h" } }), indicator("OBV", []))),
    "all.0.right",
  ],
  ["every 0 bars", { kind: "every-bars", bars: 0 }, "bars"],
  ["every 10,001 bars", { kind: "every-bars", bars: 10_001 }, "bars"],
  ["time of day", { kind: "time-of-day", atUtc: "noon" }, "atUtc"],
  ["day of a time", { kind: "time-of-day", atUtc: "12:00", days: [0] }, "days"],
];

describe("refused conditions", () => {
  it.each(refused)("%s", (_, condition, field) => {
    const fault = checkCondition(condition, 60, ASSETS);
    expect(fault?.field).toBe(field);
    expect(fault?.reason).toMatch(/^[A-Z].*\.$/);
  });
});

describe("accepted conditions", () => {
  it.each(Object.entries(INDICATORS))("%s with its defaults, each output", (name, spec) => {
    const parameters = spec.parameters.map((each) => each.default);
    for (const output of spec.outputs) {
      const left = indicator(name, parameters, { output });
      const right = name === "OBV" ? indicator(name, [], { barsBack: 50 }) : close;
      expect(checkCondition(when(above(left, right)), 60, ASSETS)).toBeNull();
      expect(checkCondition(when({ left, is: "falls-for", bars: 50 }), 60, ASSETS)).toBeNull();
    }
  });

  it("longer bars that the agent's bars add up to", () => {
    const on = (interval: string, minutes: number) =>
      checkCondition(when(above({ ...close, on: { interval } })), minutes, ASSETS);
    for (const interval of ["2h", "4h", "1d", "3d", "1w"]) expect(on(interval, 60)).toBeNull();
    expect(on("90m", 45)).toBeNull();
    expect(on("1w", 1_440)).toBeNull();
    // Weeks begin on Monday, bars of half a week do not
    expect(on("1w", 5_040)?.field).toBe("all.0.left.on");
    // Before the agent has an interval nothing can be a multiple of it
    expect(
      checkCondition(when(above({ ...close, on: { interval: "90m" } })), null, ASSETS),
    ).toBeNull();
  });

  it("a session over midnight, a schedule, a figure of the position", () => {
    expect(checkCondition(during({ fromUtc: "22:00", toUtc: "06:00" }), 60, ASSETS)).toBeNull();
    expect(checkCondition({ kind: "every-bars", bars: 10_000 }, 60, ASSETS)).toBeNull();
    expect(
      checkCondition({ kind: "time-of-day", atUtc: "23:59", days: [1, 7] }, 60, ASSETS),
    ).toBeNull();
    const profit = { kind: "position", figure: "profit-percent" } as const;
    expect(checkCondition(when(above(profit)), 60, ASSETS)).toBeNull();
  });
});
