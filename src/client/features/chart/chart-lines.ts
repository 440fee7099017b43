import {
  type AutoscaleInfo,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type SeriesType,
} from "lightweight-charts";
import type { ChartPicture, ComparisonLine, IndicatorLine } from "./picture.ts";
import { stamped, toLine } from "./series-data.ts";

/** Returns the function that draws the prices of the open position across a series. */
export function createLevelLines(main: ISeriesApi<SeriesType>) {
  let lines: readonly IPriceLine[] = [];
  let prices: readonly number[] = [];
  main.applyOptions({
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => withLevels(original(), prices),
  });
  return ({ levels, palette }: ChartPicture): void => {
    lines.forEach((line) => main.removePriceLine(line));
    prices = levels.map(({ price }) => price);
    const colours = { up: palette.buy, down: palette.sell, other: palette.other };
    lines = levels.map(({ price, text, tone }) =>
      main.createPriceLine({
        price,
        title: text,
        color: colours[tone],
        lineWidth: 1,
        lineStyle: LineStyle.Dotted,
        axisLabelVisible: true,
      }),
    );
  };
}

/** Returns a price range widened to the levels near it; one that is further away would press the candles flat. */
function withLevels(info: AutoscaleInfo | null, prices: readonly number[]): AutoscaleInfo | null {
  if (!info?.priceRange) return info;
  const { minValue, maxValue } = info.priceRange;
  const height = maxValue - minValue;
  const near = prices.filter((price) => price > minValue - height && price < maxValue + height);
  return {
    ...info,
    priceRange: {
      minValue: Math.min(minValue, ...near),
      maxValue: Math.max(maxValue, ...near),
    },
  };
}

/** Height of a pane below the candles, as a share of theirs. */
const PANE_SHARE = 0.3;

/** Draws the indicators of the agent's conditions: on the candles, or in panes below them. */
export function createIndicatorLines(chart: IChartApi) {
  let drawn: readonly { readonly of: IndicatorLine; readonly series: ISeriesApi<"Line"> }[] = [];

  const isSameSet = (lines: readonly IndicatorLine[]): boolean =>
    lines.length === drawn.length &&
    lines.every(({ label, colour }, at) => {
      const before = drawn[at]?.of;
      return before?.label === label && before.colour === colour;
    });

  function add(of: IndicatorLine) {
    const options = {
      color: of.colour,
      lineWidth: 1,
      priceLineVisible: false,
      lastValueVisible: of.pane > 0,
      crosshairMarkerVisible: false,
    } as const;
    const series = chart.addSeries(LineSeries, options, of.pane);
    for (const price of of.levels) {
      series.createPriceLine({
        price,
        title: "",
        color: of.colour,
        lineWidth: 1,
        lineStyle: LineStyle.Dotted,
        axisLabelVisible: true,
      });
    }
    if (of.pane > 0) chart.panes()[of.pane]?.setStretchFactor(PANE_SHARE);
    return { of, series };
  }

  return {
    draw(lines: readonly IndicatorLine[]): void {
      if (!isSameSet(lines)) {
        for (const { series } of drawn) chart.removeSeries(series);
        drawn = lines.map(add);
      }
      for (const [at, { series }] of drawn.entries()) {
        series.setData(stamped(lines[at]?.points ?? []));
      }
    },
  };
}

/** Draws the lines of other assets on a chart, which then shows prices in percent. */
export function createComparisonLines(chart: IChartApi) {
  const lines = new Map<string, ISeriesApi<"Line">>();

  function removeOthers(comparisons: readonly ComparisonLine[]): void {
    for (const [asset, line] of lines) {
      if (comparisons.some((each) => each.asset === asset)) continue;
      chart.removeSeries(line);
      lines.delete(asset);
    }
  }

  return {
    draw(comparisons: readonly ComparisonLine[], old: readonly ComparisonLine[]): void {
      removeOthers(comparisons);
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
        const before = old.find((each) => each.asset === asset);
        if (before?.candles !== candles) line.setData(stamped(toLine(candles)));
      }
      chart.priceScale("right").applyOptions({
        mode: comparisons.length > 0 ? PriceScaleMode.Percentage : PriceScaleMode.Normal,
      });
    },
  };
}
