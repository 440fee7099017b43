import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TradeLogEntry } from "../../../contract/trade-log.ts";
import { timesIn } from "../../lib/time-zone.ts";
import { type Candle, candleAt, indexAt, inOrder } from "./candle.ts";
import { readLegend } from "./legend.ts";
import { type Palette, readPalette } from "./palette.ts";
import type { ChartPicture } from "./picture.ts";
import { priceDecimals } from "../../lib/format.ts";
import { continuation, toBars, toLine, toVolume } from "./series-data.ts";
import { describeCandle, describeChart } from "./summary.ts";
import { timeframeOf } from "./timeframe.ts";
import { placeTrades, toMarkers, tradeLine } from "./trade-markers.ts";

const HOUR = 3600;
const START = Date.UTC(2026, 10, 21) / 1000;

const buildCandle = (hour: number, close = 100 + hour): Candle => ({
  time: START + hour * HOUR,
  open: 100,
  high: 200,
  low: 50,
  close,
  volume: 10,
});
const hours = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => buildCandle(from + index));

const buildTrade = (minutes: number, changes: Partial<TradeLogEntry> = {}): TradeLogEntry => ({
  id: "a".repeat(32),
  market: "SOL-PERP",
  size: "0.5",
  percentage: "100",
  total: "80",
  type: "market",
  side: "long",
  signal: "OPEN_LONG",
  at: new Date((START + minutes * 60) * 1000).toISOString(),
  status: "success",
  ...changes,
});

const COLOURS = { up: "green", down: "red", other: "grey" };

describe("candles as read", () => {
  it("are made strictly ascending and unique", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 })), (numbers) => {
        const times = inOrder(numbers.map((hour) => buildCandle(hour))).map(({ time }) => time);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(new Set(times).size).toBe(new Set(numbers).size);
      }),
    );
  });

  it("stay the same object when they are in order", () => {
    const candles = hours(3);
    expect(inOrder(candles)).toBe(candles);
  });

  it("can be found by time", () => {
    const candles = hours(3);
    expect(indexAt(candles, START - 1)).toBe(-1);
    expect(indexAt(candles, START + HOUR + 5)).toBe(1);
    expect(indexAt(candles, START + 90 * HOUR)).toBe(2);
    expect(candleAt(candles, START + HOUR)).toBe(candles[1]);
    expect(candleAt(candles, START + 5)).toBeUndefined();
  });
});

describe("series", () => {
  it("draw values from the candles", () => {
    const candles = [buildCandle(0, 120), buildCandle(1, 90)];
    expect(toBars(candles)[0]).toEqual({ time: START, open: 100, high: 200, low: 50, close: 120 });
    expect(toLine(candles)).toEqual([
      { time: START, value: 120 },
      { time: START + HOUR, value: 90 },
    ]);
    expect(toVolume(candles, COLOURS).map(({ color }) => color)).toEqual(["green", "red"]);
  });

  it("are extended by the changes since the last read", () => {
    const moved = [...hours(2), buildCandle(2, 150)];
    expect(continuation(hours(3), moved)).toEqual([moved[2]]);
    expect(continuation(hours(5), hours(5, 2))).toEqual(hours(3, 4));
  });

  it("are redrawn when the past differs or there is a gap", () => {
    const corrected = [buildCandle(0, 1), ...hours(2, 1)];
    expect(continuation(hours(3), corrected)).toBeNull();
    expect(continuation(hours(3), hours(3, 9))).toBeNull();
    expect(continuation([], hours(3))).toBeNull();
  });

  it.each([
    [96_000, 2],
    [142.35, 2],
    [5.2, 3],
    [0.62, 4],
    [0.00001234, 8],
  ])("a price of %d has %d decimals", (price, decimals) => {
    expect(priceDecimals(price)).toBe(decimals);
  });
});

describe("trade markers", () => {
  const mark = (trades: TradeLogEntry[]) => toMarkers(placeTrades(trades, hours(3)), COLOURS);

  it("put a buy below and a sell above its candle", () => {
    expect(mark([buildTrade(70), buildTrade(130, { side: "sell", size: "0.25" })])).toEqual([
      {
        time: START + HOUR,
        position: "belowBar",
        shape: "arrowUp",
        color: "green",
        text: "BUY 0.5",
        size: 1,
      },
      {
        time: START + 2 * HOUR,
        position: "aboveBar",
        shape: "arrowDown",
        color: "red",
        text: "SELL 0.25",
        size: 1,
      },
    ]);
  });

  it.each([
    ["buy", "belowBar", "arrowUp"],
    ["long", "belowBar", "arrowUp"],
    ["sell", "aboveBar", "arrowDown"],
    ["short", "aboveBar", "arrowDown"],
    ["other", "aboveBar", "circle"],
  ])("a trade of side %s is drawn %s as %s", (side, position, shape) => {
    expect(mark([buildTrade(5, { side })])).toMatchObject([{ position, shape }]);
  });

  it("leave out failed trades and trades before the first candle", () => {
    expect(mark([buildTrade(5, { status: "failed" }), buildTrade(-5)])).toEqual([]);
  });

  it("mark pending trades and reset counters without a direction's colour", () => {
    const markers = mark([
      buildTrade(5, { status: "pending" }),
      buildTrade(65, { side: "other", type: "reset", size: "0" }),
    ]);
    expect(markers.map(({ color, text }) => [color, text])).toEqual([
      ["grey", "BUY 0.5"],
      ["grey", "RESET"],
    ]);
  });

  it("count the trades of one candle and direction", () => {
    const trades = [buildTrade(5), buildTrade(6), buildTrade(7), buildTrade(8, { side: "short" })];
    expect(mark(trades).map(({ text }) => text)).toEqual(["BUY ×3", "SELL 0.5"]);
  });

  it("name what of the plan asked for the trade, a marker for each", () => {
    const trades = [
      buildTrade(5, { side: "sell", plan: "trail" }),
      buildTrade(6, { side: "sell", plan: "target_1", size: "0.2" }),
      buildTrade(7, { side: "sell", plan: "target_1", size: "0.1" }),
      buildTrade(8, { side: "sell" }),
    ];
    expect(mark(trades).map(({ text }) => text)).toEqual([
      "SELL 0.5 (trailing stop)",
      "SELL ×2 (target 1)",
      "SELL 0.5",
    ]);
    expect(trades.slice(0, 1).map(tradeLine)).toEqual([
      expect.stringContaining("SELL 0.5 (trailing stop)"),
    ]);
  });

  it("are ordered by time whatever the log's order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 179 })), (minutes) => {
        const times = mark(minutes.map((minute) => buildTrade(minute))).map(({ time }) => time);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
    );
  });
});

describe("legend and words", () => {
  const palette: Palette = readPalette(document.documentElement);
  const picture: ChartPicture = {
    indicators: [],
    levels: [],
    firings: [{ time: START + HOUR, text: "trend up" }],
    key: "k",
    candleSeconds: HOUR,
    candles: hours(3),
    kind: "candles",
    comparisons: [
      { asset: "BTC", colour: "blue", candles: [buildCandle(1, 50), buildCandle(2, 75)] },
    ],
    trades: placeTrades([buildTrade(70)], hours(3)),
    marks: [{ time: hours(3)[0]?.time ?? 0, kind: "fired", text: "" }],
    view: null,
    palette,
    times: timesIn("UTC"),
  };

  it("describe the newest candle without a cursor", () => {
    const legend = readLegend(picture, { time: null, fromTime: START + HOUR });
    expect(legend?.candle.time).toBe(START + 2 * HOUR);
    expect(legend?.change).toBe(2);
    expect(legend?.comparisons).toEqual([{ asset: "BTC", colour: "blue", change: 50 }]);
    expect(legend?.trades).toEqual([]);
  });

  it("describe the candle under the cursor with its trades, without a price where there is none", () => {
    expect(readLegend(picture, { time: START + HOUR, fromTime: null })?.trades).toEqual([
      "BUY 0.5",
      "trend up fires",
    ]);
    const first = readLegend(picture, { time: START, fromTime: null });
    expect(first?.comparisons[0]?.change).toBeNull();
  });

  it("are empty without candles", () => {
    expect(readLegend({ ...picture, candles: [] }, { time: null, fromTime: null })).toBeNull();
  });

  it("read a candle out", () => {
    const legend = readLegend(picture, { time: START + HOUR, fromTime: null })!;
    expect(describeCandle(legend, HOUR, picture.times)).toBe(
      "21 Nov 2026, 01:00, open 100.00, high 200.00, low 50.00, close 101.00, +1.00%, volume 10, BTC +0.00%, BUY 0.5, trend up fires",
    );
  });

  it("summarise the chart, and never present sample data as prices", () => {
    const summary = {
      pair: "SOL/USD",
      timeframe: timeframeOf("1h"),
      candles: hours(3),
      tradeCount: 1,
      comparisons: ["BTC"],
      isSample: false,
      times: timesIn("UTC"),
    };
    expect(describeChart(summary)).toBe(
      "SOL/USD, 3 candles of 1 hour. Last price 102.00 US dollars. +2.00% since 21 Nov 2026, 00:00. Compared with BTC. 1 trade.",
    );
    expect(describeChart({ ...summary, isSample: true })).toBe(
      "SOL/USD: sample data, not market prices.",
    );
    expect(describeChart({ ...summary, candles: [] })).toBe("SOL/USD: no candles.");
  });
});
