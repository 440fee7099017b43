import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  PriceScaleMode,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Candle } from "./candle.ts";
import {
  CANDLE_OPTIONS,
  FIXED_OPTIONS,
  mainOptions,
  themeOptions,
  timeOptions,
  VOLUME_OPTIONS,
} from "./chart-options.ts";
import { createChartCursor } from "./chart-cursor.ts";
import type { ChartCursor } from "./legend.ts";
import { VOLUME_COLOURS } from "./palette.ts";
import type { ChartPicture } from "./picture.ts";
import { continuation, priceDecimals, toBars, toLine, toVolume } from "./series-data.ts";
import { toMarkers, toPreviewMarkers } from "./trade-markers.ts";

/** Chart on the page. Created once; data, theme and size are updated in place. */
export interface ChartView {
  show(picture: ChartPicture): void;
  /** Moves the cursor by a number of candles, starting at the last one; null without candles. */
  moveCursor(candles: number): ChartCursor | null;
  moveCursorTo(end: "first" | "last"): ChartCursor | null;
  clearCursor(): void;
  scroll(candles: number): void;
  /** Zooms the time scale; a factor below 1 shows fewer candles. */
  zoom(factor: number): void;
  /** Shows the newest candles at a legible size. */
  reset(): void;
  /** Shows every candle. */
  fit(): void;
  onCursor(listener: (cursor: ChartCursor) => void): () => void;
  /** Returns an image without the cursor on a transparent background. */
  takeScreenshot(): HTMLCanvasElement;
  remove(): void;
}

interface Drawn {
  readonly picture: ChartPicture;
  readonly main: ISeriesApi<SeriesType>;
  readonly markers: ISeriesMarkersPluginApi<Time>;
}

// The library uses a branded type for seconds
const stamped = <T extends { readonly time: number }>(points: readonly T[]) =>
  points as unknown as (Omit<T, "time"> & { time: UTCTimestamp })[];

const MIN_CANDLES = 5;

function addMain(chart: IChartApi, picture: ChartPicture): ISeriesApi<SeriesType> {
  const options = mainOptions(priceDecimals(picture.candles.at(-1)?.close ?? 0));
  return picture.kind === "candles"
    ? chart.addSeries(CandlestickSeries, { ...options, ...CANDLE_OPTIONS })
    : chart.addSeries(LineSeries, { ...options, lineWidth: 2, color: picture.palette.line });
}

/** Creates the chart in an element that determines its size. */
export function createChartView(container: HTMLElement): ChartView {
  const chart = createChart(container, FIXED_OPTIONS);
  const scale = chart.timeScale();
  const volume = chart.addSeries(HistogramSeries, VOLUME_OPTIONS);
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  const lines = new Map<string, ISeriesApi<"Line">>();
  let drawn: Drawn | null = null;

  const cursor = createChartCursor(chart, () => drawn);

  function replaceMain(picture: ChartPicture): Drawn {
    if (drawn) chart.removeSeries(drawn.main);
    const main = addMain(chart, picture);
    return { picture, main, markers: createSeriesMarkers(main, []) };
  }

  function drawCandles(next: Drawn, added: readonly Candle[] | null): void {
    const { kind, candles } = next.picture;
    const toMain = (some: readonly Candle[]) =>
      kind === "candles" ? stamped(toBars(some)) : stamped(toLine(some));
    if (added === null) {
      next.main.setData(toMain(candles));
      volume.setData(stamped(toVolume(candles, VOLUME_COLOURS)));
      return;
    }
    for (const point of toMain(added)) next.main.update(point);
    for (const point of stamped(toVolume(added, VOLUME_COLOURS))) volume.update(point);
  }

  function drawComparisons({ comparisons }: ChartPicture, old: ChartPicture | undefined): void {
    for (const [asset, line] of lines) {
      if (comparisons.some((each) => each.asset === asset)) continue;
      chart.removeSeries(line);
      lines.delete(asset);
    }
    for (const { asset, colour, candles } of comparisons) {
      const options = {
        color: colour,
        title: asset,
        lineWidth: 2,
        priceLineVisible: false,
      } as const;
      const line = lines.get(asset) ?? chart.addSeries(LineSeries, options);
      lines.set(asset, line);
      line.applyOptions(options);
      const before = old?.comparisons.find((each) => each.asset === asset);
      if (before?.candles !== candles) line.setData(stamped(toLine(candles)));
    }
    chart.priceScale("right").applyOptions({
      mode: comparisons.length > 0 ? PriceScaleMode.Percentage : PriceScaleMode.Normal,
    });
  }

  function reset(): void {
    const count = drawn?.picture.candles.length ?? 0;
    const room = Math.max(30, Math.floor((container.clientWidth - 60) / 7));
    scale.setVisibleLogicalRange({ from: Math.max(-1, count - room), to: count + 3 });
  }

  function changeRange(change: (from: number, to: number) => readonly [number, number]): void {
    const range = scale.getVisibleLogicalRange();
    if (!range) return;
    const [from, to] = change(range.from, range.to);
    scale.setVisibleLogicalRange({ from, to });
  }

  return {
    show(picture) {
      const old = drawn?.picture;
      if (old === picture) return;
      const isNewKind = !drawn || old?.kind !== picture.kind;
      const isNewTheme = old?.palette !== picture.palette;
      const isNewKey = old?.key !== picture.key;
      const kept = isNewKind && !isNewKey ? scale.getVisibleLogicalRange() : null;
      const next: Drawn = drawn && !isNewKind ? { ...drawn, picture } : replaceMain(picture);
      drawn = next;
      if (isNewTheme) chart.applyOptions(themeOptions(picture.palette));
      if (isNewTheme && picture.kind === "line") {
        next.main.applyOptions({ color: picture.palette.line });
      }
      if (isNewKey || old?.times !== picture.times) {
        chart.applyOptions(timeOptions(picture.candleSeconds, picture.times));
      }
      if (isNewKind || isNewKey || old?.candles !== picture.candles) {
        const added =
          isNewKind || isNewKey ? null : continuation(old?.candles ?? [], picture.candles);
        drawCandles(next, added);
      }
      if (isNewKey && !isNewKind) {
        next.main.applyOptions(mainOptions(priceDecimals(picture.candles.at(-1)?.close ?? 0)));
      }
      if (old?.comparisons !== picture.comparisons) drawComparisons(picture, old);
      const isNewMarks = old?.trades !== picture.trades || old.marks !== picture.marks;
      if (isNewKind || isNewTheme || isNewMarks) {
        const { buy, sell, other, line } = picture.palette;
        const colours = { up: buy, down: sell, other };
        const markers = [
          ...toMarkers(picture.trades, colours),
          ...toPreviewMarkers(picture.marks, { ...colours, fired: line }),
        ].toSorted((a, b) => a.time - b.time);
        next.markers.setMarkers(stamped(markers));
      }
      if (isNewKey && picture.view !== null) {
        const { from, to } = picture.view;
        const margin = Math.max(20, (to - from) / 2);
        scale.setVisibleLogicalRange({ from: from - margin, to: to + margin });
      } else if (isNewKey) reset();
      else if (kept) scale.setVisibleLogicalRange(kept);
      cursor.refresh();
    },
    ...cursor.acts,
    scroll: (candles) => changeRange((from, to) => [from + candles, to + candles]),
    zoom: (factor) =>
      changeRange((from, to) => [to - Math.max(MIN_CANDLES, (to - from) * factor), to]),
    reset,
    fit: () => scale.fitContent(),
    takeScreenshot: () => chart.takeScreenshot(false, false),
    remove() {
      cursor.remove();
      chart.remove();
    },
  };
}
