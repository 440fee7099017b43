import { describe, expect, it } from "vitest";
import type { AlertCondition, Operand } from "../../../domain/condition/condition.ts";
import type { Bar } from "../../../strategy/bar-times.ts";
import { firingsOf, indicatorLines, timeframeOfInterval } from "./agent-lines.ts";
import type { Candle } from "./candle.ts";

const HOUR = 3_600;

const indicator = (name: "EMA" | "RSI" | "SMA" | "ROC" | "ATR", period: number): Operand => ({
  kind: "indicator",
  name,
  output: "value",
  parameters: [period],
});
const number = (value: number): Operand => ({ kind: "number", value });
const when = (left: Operand, right: Operand): AlertCondition => ({
  kind: "comparisons",
  all: [{ left, is: "above", right }],
});

const closes = [11, 12, 14, 17, 21];
const candles: readonly Candle[] = closes.map((close, at) => ({
  time: (10 + at) * HOUR,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
}));
const before: readonly Bar[] = [8, 9].map((at) => ({
  openTimeMs: at * HOUR * 1_000,
  closeTimeMs: (at + 1) * HOUR * 1_000,
  open: at,
  high: at,
  low: at,
  close: at,
  volume: 1,
}));

const linesOf = (...conditions: AlertCondition[]) =>
  indicatorLines(conditions, before, candles, "dark");

describe("the lines of an agent's conditions", () => {
  it("are averages over the candles and the bars before them", () => {
    const [line] = linesOf(when(indicator("SMA", 3), number(1)));
    // (8 + 9 + 11) / 3, (9 + 11 + 12) / 3, …
    expect(line?.points.map(({ value }) => Number(value.toFixed(4)))).toEqual([
      9.3333, 10.6667, 12.3333, 14.3333, 17.3333,
    ]);
    expect(line).toMatchObject({ label: "SMA 3", pane: 0, levels: [] });
    expect(line?.points[0]?.time).toBe(10 * HOUR);
  });

  it("begin where the indicator does, not with a zero", () => {
    const [line] = linesOf(when(indicator("SMA", 5), number(1)));
    expect(line?.points[0]?.time).toBe(12 * HOUR);
  });

  it("have a pane below the candles where they are no price, with the numbers they are compared with", () => {
    const lines = linesOf(
      when(indicator("EMA", 2), indicator("EMA", 3)),
      when(indicator("RSI", 2), number(30)),
      when(number(70), indicator("RSI", 2)),
    );
    expect(lines.map(({ label, pane, levels }) => [label, pane, levels])).toEqual([
      ["EMA 2", 0, []],
      ["EMA 3", 0, []],
      ["RSI 2", 1, [30, 70]],
    ]);
    expect(new Set(lines.map(({ colour }) => colour)).size).toBe(3);
  });

  it("leave out indicators of longer bars, which these candles are not", () => {
    const longer: Operand = {
      kind: "indicator",
      name: "EMA",
      output: "value",
      parameters: [2],
      on: { interval: "4h" },
    };
    const lines = linesOf(when(longer, indicator("SMA", 3)));
    expect(lines.map(({ label }) => label)).toEqual(["SMA 3"]);
  });

  it("fill two panes at most", () => {
    const lines = linesOf(
      when(indicator("RSI", 2), number(30)),
      when(indicator("ROC", 2), number(0)),
      when(indicator("ATR", 2), number(1)),
    );
    expect(lines.map(({ label }) => label)).toEqual(["RSI 2", "ROC 2"]);
  });

  it("are none without indicators", () =>
    expect(linesOf(when({ kind: "price", field: "close" }, number(3)))).toEqual([]));
});

describe("the timeframe of an interval", () => {
  it.each([
    ["28m", "30m"],
    ["30m", "30m"],
    ["90m", "1h"],
    ["1h", "1h"],
    ["4h", "1h"],
    ["1d", "1D"],
    ["1w", "1W"],
    ["soon", "30m"],
  ] as const)("of %s is %s", (interval, timeframe) =>
    expect(timeframeOfInterval(interval)).toBe(timeframe),
  );
});

describe("firings of the agent's conditions", () => {
  const condition = when({ kind: "price", field: "close" } as Operand, number(15));
  const named = [
    { alertKey: "above 15", condition },
    {
      alertKey: "above 16",
      condition: when({ kind: "price", field: "close" } as Operand, number(16)),
    },
  ];
  const warmed: readonly Bar[] = Array.from({ length: 240 }, (_, at) => ({
    openTimeMs: (at - 230) * HOUR * 1_000,
    closeTimeMs: (at - 229) * HOUR * 1_000,
    open: 1,
    high: 1,
    low: 1,
    close: 20,
    volume: 1,
  }));

  it("stand on the closed candles they fire on, several under one mark, and not on the newest", () => {
    expect(firingsOf(named, warmed, candles, 60)).toEqual([
      { time: 13 * HOUR, text: "above 15, above 16" },
    ]);
  });

  it("are none until the conditions are warmed up", () => {
    expect(firingsOf(named, before, candles, 60)).toEqual([]);
  });
});
