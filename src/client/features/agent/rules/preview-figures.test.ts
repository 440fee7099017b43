import { describe, expect, it } from "vitest";
import type { AlertCondition } from "../../../../domain/condition/condition.ts";
import type { Bar } from "../../../../strategy/bar-times.ts";
import { barsToAsk, howOften, needsPosition, previewOf, SHOWN_BARS } from "./condition-preview.tsx";

const HOUR_MS = 3_600_000;

/** Closes 1 to 10 again and again, so that a close crosses above 9.5 every tenth bar. */
const bars = (count: number): Bar[] =>
  Array.from({ length: count }, (_each, index) => {
    const close = (index % 10) + 1;
    const openTimeMs = index * HOUR_MS;
    const closeTimeMs = openTimeMs + HOUR_MS;
    return { openTimeMs, closeTimeMs, open: close, high: close, low: close, close, volume: 1 };
  });

const tenth: AlertCondition = {
  kind: "comparisons",
  all: [
    {
      left: { kind: "price", field: "close" },
      is: "crosses-above",
      right: { kind: "number", value: 9.5 },
    },
  ],
};

describe("a preview", () => {
  it("counts firings in the newest bars and shows those bars", () => {
    const { bars: shown, firedAt } = previewOf(tenth, bars(1_000), 60);
    expect(shown).toHaveLength(SHOWN_BARS);
    expect(firedAt).toHaveLength(50);
    expect(firedAt.map((at) => shown[at]?.close)).toEqual(Array(50).fill(10));
  });

  it("shows fewer bars where there are fewer, and none while the indicators warm up", () => {
    const { bars: shown, firedAt, warmUp } = previewOf(tenth, bars(260), 60);
    expect([shown.length, firedAt.length]).toEqual([260 - warmUp, 6]);
    expect(previewOf(tenth, bars(warmUp), 60).bars).toEqual([]);
  });

  it("fetches the warm-up and the visible bars, in steps", () => {
    expect(barsToAsk(tenth, 60)).toBe(1_000);
    const slow = { kind: "indicator", name: "EMA", output: "value", parameters: [500] } as const;
    const condition: AlertCondition = {
      kind: "comparisons",
      all: [{ left: { kind: "price", field: "close" }, is: "above", right: slow }],
    };
    expect(barsToAsk(condition, 60)).toBe(5_000);
  });

  it("recognises conditions that need an open position", () => {
    const left = { kind: "position", figure: "profit-percent" } as const;
    const profit = { left, is: "above", right: { kind: "number", value: 5 } } as const;
    expect(needsPosition(tenth)).toBe(false);
    expect(needsPosition({ kind: "comparisons", all: [...tenth.all, profit] })).toBe(true);
    expect(needsPosition({ kind: "every-bars", bars: 4 })).toBe(false);
  });
});

describe("the frequency of firings", () => {
  it.each([
    [7, 500, "about once in 3 days"],
    [1, 500, "about once in 21 days"],
    [20, 500, "about once a day"],
    [50, 500, "about 2 times a day"],
    [500, 500, "about 24 times a day"],
  ])("%i firings in %i hours are %s", (times, hours, words) => {
    expect(howOften(times, hours * HOUR_MS)).toBe(words);
  });
});
