/** Assets a chart can be compared with. */
export const COMPARISON_ASSETS = ["BTC", "ETH", "ADA", "DOT", "AVAX"] as const;

export type ComparisonAsset = (typeof COMPARISON_ASSETS)[number];

/** Degrees between the hues of two comparison lines. */
export const HUE_STEP = 57;

/** First hue; keeps the five lines distinct from the blue main line and red falling candles. */
const FIRST_HUE = 275;

/** Returns the colour of an asset's line, independent of the other lines shown. */
export function comparisonColour(asset: ComparisonAsset, theme: "light" | "dark"): string {
  const hue = (FIRST_HUE + COMPARISON_ASSETS.indexOf(asset) * HUE_STEP) % 360;
  return theme === "dark" ? `hsl(${hue}, 80%, 68%)` : `hsl(${hue}, 75%, 36%)`;
}

/** Adds an asset unless it is already compared. */
export function addComparison(
  comparisons: readonly ComparisonAsset[],
  asset: ComparisonAsset,
): readonly ComparisonAsset[] {
  return comparisons.includes(asset) ? comparisons : [...comparisons, asset];
}

export function removeComparison(
  comparisons: readonly ComparisonAsset[],
  asset: ComparisonAsset,
): readonly ComparisonAsset[] {
  return comparisons.filter((other) => other !== asset);
}

/** Returns the assets that can be added to a chart of `mainAsset`. */
export function offeredComparisons(
  comparisons: readonly ComparisonAsset[],
  mainAsset: string,
): readonly ComparisonAsset[] {
  return COMPARISON_ASSETS.filter((asset) => asset !== mainAsset && !comparisons.includes(asset));
}
