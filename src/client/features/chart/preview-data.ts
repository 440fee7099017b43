import type { ChartPreview } from "../../lib/chart-preview.ts";
import { indexAt } from "./candle.ts";
import type { PlacedMark } from "./trade-markers.ts";
import { timeframeOf } from "./timeframe.ts";
import type { ChartData } from "./use-chart-data.ts";

const secondsOf = (timeMs: number) => Math.floor(timeMs / 1_000);

/** Counter that distinguishes successive previews of the same bars. */
let shownSoFar = 0;

/** Chart data of a preview. */
export interface PreviewData {
  readonly data: ChartData;
  readonly marks: readonly PlacedMark[];
  /** Initially visible candle indexes. */
  readonly view: { readonly from: number; readonly to: number };
}

/** Converts a preview to chart data: its own bars instead of the market's. */
export function previewData(preview: ChartPreview): PreviewData {
  const { asset, intervalMinutes, bars, source } = preview;
  const candles = bars.map(({ openTimeMs, open, high, low, close, volume }) => ({
    time: secondsOf(openTimeMs),
    open,
    high,
    low,
    close,
    volume,
  }));
  const placeOf = (timeMs: number) => Math.max(0, indexAt(candles, secondsOf(timeMs)));
  shownSoFar += 1;
  return {
    data: {
      state: "preview",
      candles,
      key: `preview ${asset} ${intervalMinutes} ${shownSoFar}`,
      timeframe: {
        ...timeframeOf("1h"),
        candleName: `${intervalMinutes} minutes`,
        candleSeconds: intervalMinutes * 60,
      },
      source,
      isSwitching: false,
      retry() {},
    },
    marks: preview.marks.flatMap(({ atMs, kind, text }) => {
      const candle = candles[indexAt(candles, secondsOf(atMs))];
      return candle === undefined ? [] : [{ time: candle.time, kind, text }];
    }),
    view: { from: placeOf(preview.view.fromMs), to: placeOf(preview.view.toMs) },
  };
}
