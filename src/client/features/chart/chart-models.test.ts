import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readChartKey } from "./chart-keys.ts";
import { readChartSettings } from "./chart-settings.ts";
import { symbolOf } from "../../../venues/profiles.ts";
import { chartAsset } from "./chart-symbol.ts";
import { timesIn } from "../../lib/time-zone.ts";
import { TIMEFRAME_IDS, timeframeFor, timeframeOf } from "./timeframe.ts";
import {
  addComparison,
  COMPARISON_ASSETS,
  comparisonColour,
  HUE_STEP,
  offeredComparisons,
  removeComparison,
} from "./comparison.ts";
import { CANDLE_COLOURS } from "./palette.ts";
import { percentChange, percentText, priceText, volumeText } from "./percent.ts";
import { createSampleCandles } from "./use-chart-data.ts";
import { candleTimeText, tickText } from "./chart-time.ts";

describe("timeframes", () => {
  it("request the candles they stand for", () => {
    const requests = TIMEFRAME_IDS.map((id) => {
      const { interval, limit } = timeframeOf(id);
      return [id, interval, limit];
    });
    expect(requests).toEqual([
      ["30m", "30m", 300],
      ["1h", "1h", 200],
      ["1D", "1d", 365],
      ["1W", "1w", 52],
      ["1M", "1M", 120],
      ["3M", "1d", 90],
    ]);
  });

  it("can be found by the candles they request", () => {
    for (const id of TIMEFRAME_IDS) expect(timeframeFor(timeframeOf(id)).id).toBe(id);
  });
});

describe("an agent's pair", () => {
  it.each([
    ["SOL-PERP", "SOL", "SOLUSDT"],
    ["BTC", "BTC", "BTCUSDT"],
    ["AAPLx", "AAPLx", "AAPLXUSDT"],
    [undefined, "SOL", "SOLUSDT"],
  ])("%s is charted as %s from %s", (pair, asset, symbol) => {
    expect(chartAsset(pair)).toBe(asset);
    expect(symbolOf(asset)).toBe(symbol);
  });
});

describe("comparisons", () => {
  it("contain an asset only once", () => {
    const once = addComparison([], "BTC");
    expect(addComparison(once, "BTC")).toBe(once);
    expect(removeComparison(addComparison(once, "DOT"), "BTC")).toEqual(["DOT"]);
  });

  it("offer assets that are neither chosen nor the chart's own", () => {
    expect(offeredComparisons(["ADA"], "BTC")).toEqual(["ETH", "DOT", "AVAX"]);
  });

  it("step their hues by 57 degrees in any selection", () => {
    const hues = COMPARISON_ASSETS.map((asset) =>
      Number(/hsl\((\d+),/.exec(comparisonColour(asset, "dark"))?.[1]),
    );
    const steps = hues.slice(1).map((hue, index) => (hue - hues[index]! + 360) % 360);
    expect(HUE_STEP).toBe(57);
    expect(steps).toEqual([57, 57, 57, 57]);
  });
});

describe("candle bodies", () => {
  it("have the usual colours in both themes", () => {
    expect(CANDLE_COLOURS).toEqual({ up: "#26a69a", down: "#ef5350" });
  });
});

describe("settings of a chart", () => {
  it("start with days, candles and no comparison", () => {
    expect(readChartSettings({})).toEqual({ timeframe: "1D", kind: "candles", comparisons: [] });
  });

  it("drop unknown and duplicate entries", () => {
    expect(
      readChartSettings({
        timeframe: "5Y",
        kind: "bars",
        comparisons: ["ETH", "DOGE", "ETH", "BTC"],
      }),
    ).toEqual({ timeframe: "1D", kind: "candles", comparisons: ["ETH", "BTC"] });
  });
});

describe("figures", () => {
  it.each([
    [100, 101.239, "+1.24%"],
    [100, 50, "−50.00%"],
    [100, 99.9999, "+0.00%"],
  ])("show a change from %d to %d as %s", (first, last, text) => {
    expect(percentText(percentChange(first, last)!)).toBe(text);
  });

  it("show no percent change from zero", () => {
    expect(percentChange(0, 5)).toBeNull();
    expect(percentChange(undefined, 5)).toBeNull();
  });

  it("group and shorten prices and volumes", () => {
    expect(priceText(1_234_567.891, 2)).toBe("1,234,567.89");
    expect(priceText(0.00123, 6)).toBe("0.001230");
    expect([950, 1500, 41_200_000, 2_500_000_000].map(volumeText)).toEqual([
      "950",
      "1.5K",
      "41.2M",
      "2.5B",
    ]);
  });

  it("show times in the chosen zone, as precise as the candle", () => {
    const time = Date.UTC(2026, 10, 21, 3, 30) / 1000;
    expect(candleTimeText(time, 1800, timesIn("UTC"))).toBe("21 Nov 2026, 03:30");
    expect(candleTimeText(time, 1800, timesIn("America/New_York"))).toBe("20 Nov 2026, 22:30");
    expect(tickText(time, timesIn("Asia/Kolkata"), false)).toBe("09:00");
    expect(tickText(time, timesIn("Asia/Pyongyang"), true)).toBe("21, 12:30");
    expect(tickText(Date.UTC(2026, 10, 21, 5) / 1000, timesIn("America/New_York"), false)).toBe(
      "21",
    );
  });

  it("show the UTC day of daily and longer candles in every zone", () => {
    const time = Date.UTC(2026, 10, 21) / 1000;
    for (const zone of ["UTC", "America/New_York", "Asia/Tokyo"]) {
      expect(candleTimeText(time, 86_400, timesIn(zone))).toBe("21 Nov 2026");
    }
  });
});

describe("sample candles", () => {
  it("have the requested number, are in order and never impossible", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 50 }),
        fc.integer({ min: 1, max: 40 }),
        (chances, limit) => {
          let drawn = 0;
          const random = () => chances[drawn++ % chances.length]!;
          const shape = { random, candleSeconds: 3600, limit, endTime: 1_800_000_123 };
          const candles = createSampleCandles(shape);
          expect(candles).toHaveLength(limit);
          expect(candles.at(-1)!.time).toBe(1_800_000_000);
          for (const [index, candle] of candles.entries()) {
            if (index > 0) expect(candle.time - candles[index - 1]!.time).toBe(3600);
            expect(candle.low).toBeGreaterThan(0);
            expect(candle.low).toBeLessThanOrEqual(Math.min(candle.open, candle.close));
            expect(candle.high).toBeGreaterThanOrEqual(Math.max(candle.open, candle.close));
          }
        },
      ),
    );
  });
});

describe("keys on the chart", () => {
  const press = (key: string, more: Partial<Parameters<typeof readChartKey>[0]> = {}) =>
    readChartKey({
      key,
      code: "",
      altKey: false,
      ctrlKey: false,
      metaKey: false,
      shiftKey: false,
      ...more,
    });

  it.each([
    ["ArrowLeft", { kind: "cursor", candles: -1 }],
    ["End", { kind: "cursor-to", end: "last" }],
    ["1", { kind: "timeframe", id: "30m" }],
    ["6", { kind: "timeframe", id: "3M" }],
    ["c", { kind: "toggle-kind" }],
  ])("%s has exactly one effect", (key, action) => {
    expect(press(key)).toEqual(action);
  });

  it("Shift with an arrow scrolls instead", () => {
    expect(press("ArrowLeft", { shiftKey: true })).toMatchObject({ kind: "scroll" });
  });

  it("Alt R resets and Alt S saves on every keyboard layout", () => {
    expect(press("®", { code: "KeyR", altKey: true })).toEqual({ kind: "reset" });
    expect(press("ß", { code: "KeyS", altKey: true })).toEqual({ kind: "save-image" });
  });

  it("other keys are left to the page", () => {
    expect(press("c", { ctrlKey: true })).toBeNull();
    expect(press("Tab")).toBeNull();
    expect(press("7")).toBeNull();
    expect(press("Enter")).toBeNull();
  });
});
