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

/** Everything the chart draws. Parts with an unchanged reference are not redrawn. */
export interface ChartPicture {
  /** Identity of the candle data; zoom and scroll position are kept while it is equal. */
  readonly key: string;
  readonly candleSeconds: number;
  readonly candles: readonly Candle[];
  readonly kind: ChartKind;
  /** Comparison lines; when not empty, prices are in percent of the first visible candle. */
  readonly comparisons: readonly ComparisonLine[];
  readonly trades: readonly PlacedTrade[];
  /** Hypothetical events, oldest first. */
  readonly marks: readonly PlacedMark[];
  /** Initially visible candle indexes; null shows the newest. */
  readonly view: { readonly from: number; readonly to: number } | null;
  readonly palette: Palette;
  /** Formatters of the selected time zone. */
  readonly times: Times;
}
