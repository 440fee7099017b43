import type { IChartApi } from "lightweight-charts";
import { NEWEST_ROOM } from "./chart-options.ts";
import type { ChartPicture } from "./picture.ts";

/** Minimum number of candles after zooming in. */
const MIN_CANDLES = 5;

/** Returns the functions that choose which candles a chart shows; `countCandles` returns how many it has. */
export function createChartRange(
  chart: IChartApi,
  container: HTMLElement,
  countCandles: () => number,
) {
  const scale = chart.timeScale();

  function change(to: (from: number, to: number) => readonly [number, number]): void {
    const range = scale.getVisibleLogicalRange();
    if (!range) return;
    const [first, last] = to(range.from, range.to);
    scale.setVisibleLogicalRange({ from: first, to: last });
  }

  function reset(): void {
    const count = countCandles();
    const room = Math.max(30, Math.floor((container.clientWidth - 60) / 7));
    scale.setVisibleLogicalRange({ from: Math.max(-1, count - room), to: count - 1 + NEWEST_ROOM });
  }

  return {
    read: () => scale.getVisibleLogicalRange(),
    restore: (range: { readonly from: number; readonly to: number }) =>
      scale.setVisibleLogicalRange(range),
    /** Shows the candles a new picture asks for, or else the newest. */
    begin({ view }: ChartPicture): void {
      if (view === null) return reset();
      const margin = Math.max(20, (view.to - view.from) / 2);
      scale.setVisibleLogicalRange({ from: view.from - margin, to: view.to + margin });
    },
    acts: {
      scroll: (candles: number) => change((from, to) => [from + candles, to + candles]),
      zoom: (factor: number) =>
        change((from, to) => [to - Math.max(MIN_CANDLES, (to - from) * factor), to]),
      reset,
      fit: () => scale.fitContent(),
    },
  };
}
