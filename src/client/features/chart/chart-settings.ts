import { COMPARISON_ASSETS, type ComparisonAsset } from "./comparison.ts";
import { DEFAULT_TIMEFRAME_ID, TIMEFRAME_IDS, type TimeframeId } from "./timeframe.ts";

export const CHART_KINDS = ["candles", "line"] as const;

export type ChartKind = (typeof CHART_KINDS)[number];

/** What the user has chosen for one chart. */
export interface ChartSettings {
  readonly timeframe: TimeframeId;
  readonly kind: ChartKind;
  /** Without duplicates, in the order they were added. */
  readonly comparisons: readonly ComparisonAsset[];
}

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value);

/** Reads settings as they were stored: what is unknown today falls back to the default. */
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
