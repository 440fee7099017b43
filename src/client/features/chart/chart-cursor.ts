import type { IChartApi, ISeriesApi, SeriesType, Time, UTCTimestamp } from "lightweight-charts";
import { indexAt } from "./candle.ts";
import type { ChartCursor } from "./legend.ts";
import type { ChartPicture } from "./picture.ts";

interface Shown {
  readonly picture: ChartPicture;
  readonly main: ISeriesApi<SeriesType>;
}

/** Creates a chart's cursor, moved by pointer or keys, with its listeners. */
export function createChartCursor(chart: IChartApi, shown: () => Shown | null) {
  const scale = chart.timeScale();
  const listeners = new Set<(cursor: ChartCursor) => void>();
  let time: number | null = null;

  function read(): ChartCursor {
    const range = scale.getVisibleRange();
    return { time, fromTime: range ? Number(range.from) : null };
  }
  function tell(): void {
    const cursor = read();
    listeners.forEach((listener) => listener(cursor));
  }
  function follow(param: { time?: Time }): void {
    time = param.time === undefined ? null : Number(param.time);
    tell();
  }
  chart.subscribeCrosshairMove(follow);
  scale.subscribeVisibleLogicalRangeChange(tell);

  function moveTo(index: number): ChartCursor | null {
    const now = shown();
    const candles = now?.picture.candles ?? [];
    const to = Math.min(Math.max(index, 0), candles.length - 1);
    const candle = candles[to];
    if (!now || !candle) return null;
    const range = scale.getVisibleLogicalRange();
    if (range && (to < range.from || to > range.to)) {
      const by = to < range.from ? to - range.from - 1 : to - range.to + 1;
      scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
    }
    chart.setCrosshairPosition(candle.close, candle.time as UTCTimestamp, now.main);
    time = candle.time;
    tell();
    return read();
  }

  return {
    /** Notifies the listeners again after the data under the cursor has changed. */
    refresh: tell,
    remove() {
      listeners.clear();
      chart.unsubscribeCrosshairMove(follow);
      scale.unsubscribeVisibleLogicalRangeChange(tell);
    },
    acts: {
      moveCursor(by: number): ChartCursor | null {
        const candles = shown()?.picture.candles ?? [];
        return moveTo(time === null ? candles.length - 1 : indexAt(candles, time) + by);
      },
      moveCursorTo: (end: "first" | "last") =>
        moveTo(end === "first" ? 0 : (shown()?.picture.candles.length ?? 0) - 1),
      clearCursor() {
        chart.clearCrosshairPosition();
        time = null;
        tell();
      },
      onCursor(listener: (cursor: ChartCursor) => void) {
        listeners.add(listener);
        listener(read());
        return () => void listeners.delete(listener);
      },
    },
  };
}
