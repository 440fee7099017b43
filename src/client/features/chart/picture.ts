import type { Times } from "../../lib/times.ts";
import type { Candle } from "./candle.ts";
import type { ChartKind } from "./chart-settings.ts";
import type { Palette } from "./palette.ts";
import type { PlacedMark, PlacedTrade } from "./trade-markers.ts";

export interface ComparisonLine {
  readonly asset: string;
  readonly colour: string;
  readonly candles: readonly Candle[];
}

/** Everything the chart draws. Parts that stay the same object are not drawn again. */
export interface ChartPicture {
  /** What the candles are of. Zoom and scroll are kept while it stays the same. */
  readonly key: string;
  readonly candleSeconds: number;
  readonly candles: readonly Candle[];
  readonly kind: ChartKind;
  /** With any, prices are in percent of the first candle in view. */
  readonly comparisons: readonly ComparisonLine[];
  readonly trades: readonly PlacedTrade[];
  /** What would have happened, oldest first. */
  readonly marks: readonly PlacedMark[];
  /** Candles in view at first, by their place; null shows the newest. */
  readonly view: { readonly from: number; readonly to: number } | null;
  readonly palette: Palette;
  /** Of the zone chosen in the page. */
  readonly times: Times;
}
