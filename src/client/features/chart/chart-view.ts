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
  type UTCTimestamp,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  TickMarkType,
  type TimeChartOptions,
} from "lightweight-charts";
import { type Candle, indexAt } from "./candle.ts";
import type { ChartCursor } from "./legend.ts";
import { VOLUME_COLOURS, CANDLE_COLOURS, type Palette } from "./palette.ts";
import { createComparisonLines, createIndicatorLines, createLevelLines } from "./chart-lines.ts";
import type { ChartPicture } from "./picture.ts";
import { priceDecimals } from "../../lib/format.ts";
import { continuation, stamped, toBars, toLine, toVolume } from "./series-data.ts";
import { toMarkers, toPreviewMarkers } from "./trade-markers.ts";
import type { Times } from "../../lib/time-zone.ts";
import { candleTimeText, tickText } from "./chart-time.ts";

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
  readonly setLevels: (picture: ChartPicture) => void;
}

const mainOptionsOf = ({ candles }: ChartPicture) =>
  mainOptions(priceDecimals(candles.at(-1)?.close ?? 0));

function addMain(chart: IChartApi, picture: ChartPicture): ISeriesApi<SeriesType> {
  const options = mainOptionsOf(picture);
  return picture.kind === "candles"
    ? chart.addSeries(CandlestickSeries, { ...options, ...CANDLE_OPTIONS })
    : chart.addSeries(LineSeries, { ...options, lineWidth: 2, color: picture.palette.line });
}

function markersOf({ trades, marks, firings, palette }: ChartPicture) {
  const { buy, sell, other, line } = palette;
  const colours = { up: buy, down: sell, other };
  // The names of firings are in the legend: a condition may fire on many bars in a row
  const circles = firings.map(({ time }) => ({ time, kind: "fired", text: "" }) as const);
  return [
    ...toMarkers(trades, colours),
    ...toPreviewMarkers([...marks, ...circles], { ...colours, fired: line }),
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
    areNewIndicators: old?.indicators !== next.indicators,
    areNewLevels: isNewKind || isNewTheme || old.levels !== next.levels,
    areNewMarkers:
      isNewKind ||
      isNewTheme ||
      old.trades !== next.trades ||
      old.marks !== next.marks ||
      old.firings !== next.firings,
  };
}

/** Creates the chart in an element that determines its size. */
export function createChartView(container: HTMLElement): ChartView {
  const chart = createChart(container, FIXED_OPTIONS);
  const volume = chart.addSeries(HistogramSeries, VOLUME_OPTIONS);
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  let drawn: Drawn | null = null;

  const comparisons = createComparisonLines(chart);
  const indicators = createIndicatorLines(chart);
  const cursor = createChartCursor(chart, () => drawn);
  const range = createChartRange(chart, container, () => drawn?.picture.candles.length ?? 0);

  function replaceMain(picture: ChartPicture): Drawn {
    if (drawn) chart.removeSeries(drawn.main);
    const main = addMain(chart, picture);
    const markers = createSeriesMarkers(main, []);
    return { picture, main, markers, setLevels: createLevelLines(main) };
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
    if (is.areNewIndicators) indicators.draw(picture.indicators);
    if (is.areNewLevels) next.setLevels(picture);
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

interface Shown {
  readonly picture: ChartPicture;
  readonly main: ISeriesApi<SeriesType>;
}

/** Creates a chart's cursor, moved by pointer or keys, with its listeners. */
function createChartCursor(chart: IChartApi, shown: () => Shown | null) {
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

/** Minimum number of candles after zooming in. */
const MIN_CANDLES = 5;

/** Returns the functions that choose which candles a chart shows; `countCandles` returns how many it has. */
function createChartRange(chart: IChartApi, container: HTMLElement, countCandles: () => number) {
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

/** Candles of room beside the newest one, so that the text of its markers is not cut at the price axis. */
const NEWEST_ROOM = 8;

/** Constant options. The logo is off because it needs inline HTML; the page's text names the library as licensed. */
const FIXED_OPTIONS: DeepPartial<TimeChartOptions> = {
  autoSize: true,
  layout: {
    attributionLogo: false,
    background: { type: ColorType.Solid, color: "transparent" },
    fontSize: 11,
  },
  crosshair: { mode: CrosshairMode.Normal },
  rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.16, bottom: 0.24 } },
  timeScale: { borderVisible: true, rightOffset: NEWEST_ROOM, minBarSpacing: 0.05 },
  handleScroll: { vertTouchDrag: false },
};

/** Returns the colour options for a theme. */
function themeOptions(palette: Palette): DeepPartial<TimeChartOptions> {
  const cursor = {
    color: palette.label,
    labelBackgroundColor: palette.label,
    style: LineStyle.Dashed,
  };
  return {
    layout: { textColor: palette.text, fontFamily: palette.font },
    grid: { vertLines: { color: palette.grid }, horzLines: { color: palette.grid } },
    crosshair: { vertLine: cursor, horzLine: cursor },
    timeScale: { borderColor: palette.border },
  };
}

/** Returns the axis options in the selected zone. The library draws marks of a day and longer in UTC. */
function timeOptions(candleSeconds: number, times: Times): DeepPartial<TimeChartOptions> {
  const isIntraday = candleSeconds < 86_400;
  return {
    timeScale: {
      timeVisible: isIntraday,
      secondsVisible: false,
      tickMarkFormatter: (time: Time, mark: TickMarkType) =>
        isIntraday ? tickText(Number(time), times, mark < TickMarkType.Time) : null,
    },
    localization: {
      timeFormatter: (time: Time) => candleTimeText(Number(time), candleSeconds, times),
    },
  };
}

/** Returns the main series' options; its price line follows the last candle. */
function mainOptions(decimals: number) {
  return {
    priceFormat: { type: "price", precision: decimals, minMove: 1 / 10 ** decimals },
    lastValueVisible: true,
    priceLineVisible: true,
    priceLineStyle: LineStyle.Dashed,
  } as const;
}

const CANDLE_OPTIONS = {
  upColor: CANDLE_COLOURS.up,
  downColor: CANDLE_COLOURS.down,
  wickUpColor: CANDLE_COLOURS.up,
  wickDownColor: CANDLE_COLOURS.down,
  borderVisible: false,
};

const VOLUME_OPTIONS = {
  priceScaleId: "volume",
  priceFormat: { type: "volume" },
  lastValueVisible: false,
  priceLineVisible: false,
} as const;
