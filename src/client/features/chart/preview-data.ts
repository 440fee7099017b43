import { useEffect, useMemo, useState } from "react";
import type { ChartPreview } from "../../lib/chart-preview.ts";
import { useMedia } from "../../lib/use-media.ts";
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
  /** Present where the candles after the first `from` are shown one after the other, all of them after `forMs`. */
  readonly played: { readonly from: number; readonly forMs: number } | null;
}

/** Milliseconds between two steps of a played preview. */
const STEP_MS = 50;

/** Returns the part of a preview that is to be seen now; with reduced motion all of it. */
export function usePlayed(preview: PreviewData | null): PreviewData | null {
  const [step, setStep] = useState({ of: preview, count: 0 });
  const isStill = useMedia("(prefers-reduced-motion: reduce)");
  const played = isStill ? null : (preview?.played ?? null);
  useEffect(() => {
    if (played === null) return;
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      setStep({ of: preview, count });
      if (count * STEP_MS >= played.forMs) clearInterval(timer);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [preview, played]);
  const count = step.of === preview ? step.count : 0;
  return useMemo(
    () =>
      preview === null || played === null
        ? preview
        : partOf(preview, played.from, (count * STEP_MS) / played.forMs),
    [preview, played, count],
  );
}

/** Returns the first `from` candles of a preview and a share of the others, with the marks on them. */
function partOf(preview: PreviewData, from: number, share: number): PreviewData {
  const { data, marks } = preview;
  const shown = from + Math.floor((data.candles.length - from) * Math.min(1, share));
  if (shown >= data.candles.length) return preview;
  const candles = data.candles.slice(0, shown);
  const lastTime = candles.at(-1)?.time ?? 0;
  return {
    ...preview,
    data: { ...data, candles },
    marks: marks.filter(({ time }) => time <= lastTime),
  };
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
    played:
      preview.played === undefined
        ? null
        : { from: Math.max(1, placeOf(preview.played.fromMs)), forMs: preview.played.forMs },
  };
}
