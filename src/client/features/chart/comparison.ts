/** Assets a chart can be compared with. */
export const COMPARISON_ASSETS = ["BTC", "ETH", "ADA", "DOT", "AVAX"] as const;

export type ComparisonAsset = (typeof COMPARISON_ASSETS)[number];

/** Degrees between the hues of two comparison lines. */
export const HUE_STEP = 57;

/** Keeps the five away from the blue of the main line and the red of falling candles. */
const FIRST_HUE = 275;

/** Colour of an asset's line: always the same one, whichever others are shown. */
export function comparisonColour(asset: ComparisonAsset, theme: "light" | "dark"): string {
  const hue = (FIRST_HUE + COMPARISON_ASSETS.indexOf(asset) * HUE_STEP) % 360;
  return theme === "dark" ? `hsl(${hue}, 80%, 68%)` : `hsl(${hue}, 75%, 36%)`;
}

/** Adds an asset once. */
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

/** What can still be added to a chart of `mainAsset`. */
export function offeredComparisons(
  comparisons: readonly ComparisonAsset[],
  mainAsset: string,
): readonly ComparisonAsset[] {
  return COMPARISON_ASSETS.filter((asset) => asset !== mainAsset && !comparisons.includes(asset));
}
