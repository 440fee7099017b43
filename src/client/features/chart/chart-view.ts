import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  type SeriesType,
  type Time,
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
import { createChartRange } from "./chart-range.ts";
import { createComparisonLines } from "./comparison-lines.ts";
import type { ChartCursor } from "./legend.ts";
import { VOLUME_COLOURS } from "./palette.ts";
import type { ChartPicture } from "./picture.ts";
import { continuation, priceDecimals, stamped, toBars, toLine, toVolume } from "./series-data.ts";
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

const mainOptionsOf = ({ candles }: ChartPicture) =>
  mainOptions(priceDecimals(candles.at(-1)?.close ?? 0));

function addMain(chart: IChartApi, picture: ChartPicture): ISeriesApi<SeriesType> {
  const options = mainOptionsOf(picture);
  return picture.kind === "candles"
    ? chart.addSeries(CandlestickSeries, { ...options, ...CANDLE_OPTIONS })
    : chart.addSeries(LineSeries, { ...options, lineWidth: 2, color: picture.palette.line });
}

function markersOf({ trades, marks, palette }: ChartPicture) {
  const { buy, sell, other, line } = palette;
  const colours = { up: buy, down: sell, other };
  return [
    ...toMarkers(trades, colours),
    ...toPreviewMarkers(marks, { ...colours, fired: line }),
  ].toSorted((a, b) => a.time - b.time);
}

/** Returns which parts of a picture differ from the drawn one. */
function differences(old: ChartPicture | undefined, next: ChartPicture) {
  const isNewKind = old?.kind !== next.kind;
  const isNewKey = old?.key !== next.key;
  const isNewTheme = old?.palette !== next.palette;
  return {
    isNewKind,
    isNewKey,
    isNewTheme,
    isNewTime: isNewKey || old.times !== next.times,
    isNewData: isNewKind || isNewKey || old.candles !== next.candles,
    areNewComparisons: old?.comparisons !== next.comparisons,
    areNewMarkers:
      isNewKind || isNewTheme || old.trades !== next.trades || old.marks !== next.marks,
  };
}

/** Creates the chart in an element that determines its size. */
export function createChartView(container: HTMLElement): ChartView {
  const chart = createChart(container, FIXED_OPTIONS);
  const volume = chart.addSeries(HistogramSeries, VOLUME_OPTIONS);
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  let drawn: Drawn | null = null;

  const comparisons = createComparisonLines(chart);
  const cursor = createChartCursor(chart, () => drawn);
  const range = createChartRange(chart, container, () => drawn?.picture.candles.length ?? 0);

  function replaceMain(picture: ChartPicture): Drawn {
    if (drawn) chart.removeSeries(drawn.main);
    const main = addMain(chart, picture);
    return { picture, main, markers: createSeriesMarkers(main, []) };
  }

  /** Draws the added candles, or all of them when `added` is null. */
  function drawCandles({ picture, main }: Drawn, added: readonly Candle[] | null): void {
    const toMain = (some: readonly Candle[]) =>
      picture.kind === "candles" ? stamped(toBars(some)) : stamped(toLine(some));
    if (added === null) {
      main.setData(toMain(picture.candles));
      volume.setData(stamped(toVolume(picture.candles, VOLUME_COLOURS)));
      return;
    }
    for (const point of toMain(added)) main.update(point);
    for (const point of stamped(toVolume(added, VOLUME_COLOURS))) volume.update(point);
  }

  function show(picture: ChartPicture): void {
    const old = drawn?.picture;
    if (old === picture) return;
    const is = differences(old, picture);
    const kept = is.isNewKind && !is.isNewKey ? range.read() : null;
    const next: Drawn = drawn && !is.isNewKind ? { ...drawn, picture } : replaceMain(picture);
    drawn = next;
    if (is.isNewTheme) chart.applyOptions(themeOptions(picture.palette));
    if (is.isNewTheme && picture.kind === "line") {
      next.main.applyOptions({ color: picture.palette.line });
    }
    if (is.isNewTime) chart.applyOptions(timeOptions(picture.candleSeconds, picture.times));
    if (is.isNewData) {
      const isContinued = old !== undefined && !is.isNewKind && !is.isNewKey;
      drawCandles(next, isContinued ? continuation(old.candles, picture.candles) : null);
    }
    if (is.isNewKey && !is.isNewKind) next.main.applyOptions(mainOptionsOf(picture));
    if (is.areNewComparisons) comparisons.draw(picture.comparisons, old?.comparisons ?? []);
    if (is.areNewMarkers) next.markers.setMarkers(stamped(markersOf(picture)));
    if (is.isNewKey) range.begin(picture);
    else if (kept) range.restore(kept);
    cursor.refresh();
  }

  return {
    show,
    ...cursor.acts,
    ...range.acts,
    takeScreenshot: () => chart.takeScreenshot(false, false),
    remove() {
      cursor.remove();
      chart.remove();
    },
  };
}
