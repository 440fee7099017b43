import type { Times } from "../../lib/time-zone.ts";
import type { Candle } from "./candle.ts";
import type { ChartKind } from "./chart-settings.ts";
import type { Palette } from "./palette.ts";
import type { PlacedMark, PlacedTrade } from "./trade-markers.ts";

export interface ComparisonLine {
  readonly asset: string;
  readonly colour: string;
  readonly candles: readonly Candle[];
}

/** Line of an indicator that the agent's conditions name. */
export interface IndicatorLine {
  /** For instance EMA 20. */
  readonly label: string;
  readonly colour: string;
  /** 0 is the candles' pane, 1 and above are below them. */
  readonly pane: number;
  /** Numbers it is compared with, drawn as lines across its pane. */
  readonly levels: readonly number[];
  readonly points: readonly { readonly time: number; readonly value: number }[];
}

/** Closed candle on which alerts of the agent's conditions fire. */
export interface PlacedFiring {
  readonly time: number;
  /** Names of the alerts. */
  readonly text: string;
}

/** A price of the agent's open position: its entry, what its plan waits for, its liquidation. */
export interface PriceLevel {
  /** A float for drawing only. */
  readonly price: number;
  readonly tone: "up" | "down" | "other";
  /** For instance Long 3.70, or Stop. */
  readonly text: string;
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
  readonly indicators: readonly IndicatorLine[];
  readonly firings: readonly PlacedFiring[];
  /** The entry first; empty while flat or unknown. */
  readonly levels: readonly PriceLevel[];
  readonly trades: readonly PlacedTrade[];
  /** Hypothetical events, oldest first. */
  readonly marks: readonly PlacedMark[];
  /** Initially visible candle indexes; null shows the newest. */
  readonly view: { readonly from: number; readonly to: number } | null;
  readonly palette: Palette;
  /** Formatters of the selected time zone. */
  readonly times: Times;
}
