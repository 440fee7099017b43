import { type IChartApi, type ISeriesApi, LineSeries, PriceScaleMode } from "lightweight-charts";
import type { ComparisonLine } from "./picture.ts";
import { stamped, toLine } from "./series-data.ts";

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
