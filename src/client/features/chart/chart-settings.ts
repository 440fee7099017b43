import { COMPARISON_ASSETS, type ComparisonAsset } from "./comparison.ts";
import { DEFAULT_TIMEFRAME_ID, TIMEFRAME_IDS, type TimeframeId } from "./timeframe.ts";

export const CHART_KINDS = ["candles", "line"] as const;

export type ChartKind = (typeof CHART_KINDS)[number];

/** The user's settings of one chart. */
export interface ChartSettings {
  readonly timeframe: TimeframeId;
  readonly kind: ChartKind;
  /** Compared assets in the order they were added, without duplicates. */
  readonly comparisons: readonly ComparisonAsset[];
}

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value);

/** Parses stored settings; unknown values fall back to the default. */
export function readChartSettings(stored: {
  readonly timeframe?: string | undefined;
  readonly kind?: string | undefined;
  readonly comparisons?: readonly string[] | undefined;
}): ChartSettings {
  const { timeframe = "", kind = "", comparisons = [] } = stored;
  const known = comparisons.filter((asset) => isOneOf(COMPARISON_ASSETS, asset));
  return {
    timeframe: isOneOf(TIMEFRAME_IDS, timeframe) ? timeframe : DEFAULT_TIMEFRAME_ID,
    kind: isOneOf(CHART_KINDS, kind) ? kind : "candles",
    comparisons: [...new Set(known)],
  };
}
