import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChartPreview } from "../../lib/chart-preview.ts";
import { previewData, usePlayed } from "./preview-data.ts";

const HOUR = 3_600_000;
const BARS = 100;

const played: ChartPreview = {
  title: "",
  asset: "SOL",
  intervalMinutes: 60,
  source: "practice market",
  bars: Array.from({ length: BARS }, (_, at) => ({
    openTimeMs: at * HOUR,
    closeTimeMs: (at + 1) * HOUR,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: 1,
  })),
  marks: [
    { atMs: 30 * HOUR, kind: "buy", text: "Entry 1" },
    { atMs: 90 * HOUR, kind: "sell", text: "Exit 1" },
  ],
  view: { fromMs: 0, toMs: (BARS - 1) * HOUR },
  played: { fromMs: 20 * HOUR, forMs: 20_000 },
};

const stillness = (isStill: boolean) =>
  vi.stubGlobal("matchMedia", () => ({
    matches: isStill,
    addEventListener() {},
    removeEventListener() {},
  }));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a played preview", () => {
  const shown = (preview: ChartPreview) => {
    const data = previewData(preview);
    const { result } = renderHook(() => usePlayed(data));
    const now = () => ({
      candles: result.current?.data.candles.length,
      marks: result.current?.marks.map(({ kind }) => kind),
      key: result.current?.data.key,
    });
    return { data, now };
  };

  it("shows its bars one after the other, each mark with its bar, all of them after its time", () => {
    stillness(false);
    const { data, now } = shown(played);
    const { key } = data.data;
    expect(now()).toEqual({ candles: 20, marks: [], key });
    act(() => void vi.advanceTimersByTime(10_000));
    expect(now()).toEqual({ candles: 60, marks: ["buy"], key });
    act(() => void vi.advanceTimersByTime(10_000));
    expect(now()).toEqual({ candles: BARS, marks: ["buy", "sell"], key });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("shows the end at once with reduced motion", () => {
    stillness(true);
    const { now } = shown(played);
    expect(now()).toMatchObject({ candles: BARS, marks: ["buy", "sell"] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is whole where nothing is to be played", () => {
    stillness(false);
    const { played: _, ...whole } = played;
    expect(shown(whole).now()).toMatchObject({ candles: BARS });
  });
});
