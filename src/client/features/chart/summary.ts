import type { Times } from "../../lib/time-zone.ts";
import type { Candle } from "./candle.ts";
import type { Timeframe } from "./timeframe.ts";
import type { Legend } from "./legend.ts";
import { percentChange, percentText, priceText, volumeText } from "./percent.ts";
import { priceDecimals } from "../../lib/format.ts";
import { candleTimeText } from "./chart-time.ts";

interface SummaryInput {
  readonly pair: string;
  readonly timeframe: Timeframe;
  readonly candles: readonly Candle[];
  readonly tradeCount: number;
  readonly comparisons: readonly string[];
  readonly isSample: boolean;
  /** Title of the preview; absent when the market is shown. */
  readonly previewTitle?: string | undefined;
  readonly times: Times;
}

const countTrades = (count: number): string =>
  count === 0 ? "No trades." : count === 1 ? "1 trade." : `${count} trades.`;

/** Returns the chart's description for screen readers. */
export function describeChart(input: SummaryInput): string {
  const { pair, timeframe, candles, tradeCount, comparisons, isSample } = input;
  const [first, last] = [candles[0], candles.at(-1)];
  if (isSample) return `${pair}: sample data, not market prices.`;
  if (!first || !last) return `${pair}: no candles.`;
  const change = percentChange(first.open, last.close);
  const since = candleTimeText(first.time, timeframe.candleSeconds, input.times);
  return [
    `${pair}, ${candles.length} candles of ${timeframe.candleName}.`,
    ...(input.previewTitle === undefined ? [] : [input.previewTitle]),
    `Last ${input.previewTitle === undefined ? "price" : "close shown"} ${priceText(last.close, priceDecimals(last.close))} US dollars.`,
    ...(change === null ? [] : [`${percentText(change)} since ${since}.`]),
    ...(comparisons.length === 0 ? [] : [`Compared with ${comparisons.join(", ")}.`]),
    countTrades(tradeCount),
  ].join(" ");
}

/** Returns a candle's announcement for arrow-key navigation. */
export function describeCandle(legend: Legend, candleSeconds: number, times: Times): string {
  const { candle, change, indicators, comparisons, trades } = legend;
  const price = (value: number) => priceText(value, priceDecimals(candle.close));
  return [
    candleTimeText(candle.time, candleSeconds, times),
    `open ${price(candle.open)}`,
    `high ${price(candle.high)}`,
    `low ${price(candle.low)}`,
    `close ${price(candle.close)}`,
    ...(change === null ? [] : [percentText(change)]),
    `volume ${volumeText(candle.volume)}`,
    ...indicators.map(({ text }) => text),
    ...comparisons.flatMap((each) =>
      each.change === null ? [] : [`${each.asset} ${percentText(each.change)}`],
    ),
    ...trades,
  ].join(", ");
}
