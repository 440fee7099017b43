import type { GrowthPoint } from "./growth.ts";

/** The deepest fall of a curve from a peak before it. */
export interface Drawdown {
  /** Share lost, 0 to 1. */
  readonly depth: number;
  readonly peakAtMs: number;
  readonly lowAtMs: number;
}

/** Returns how far each point is below the highest before it, 0 to 1; null where it cannot be known. */
export function drawdownCurve(curve: readonly GrowthPoint[]): readonly (number | null)[] {
  let peak = 0;
  return curve.map(({ growth }) => {
    if (growth === null) return null;
    peak = Math.max(peak, growth);
    return peak === 0 ? 0 : 1 - growth / peak;
  });
}

/** Returns the deepest fall among the known points; null where the curve never fell. */
export function largestDrawdown(curve: readonly GrowthPoint[]): Drawdown | null {
  let peak: { readonly growth: number; readonly atMs: number } | null = null;
  let deepest: Drawdown | null = null;
  for (const { atMs, growth } of curve) {
    if (growth === null) continue;
    if (peak === null || growth >= peak.growth) peak = { growth, atMs };
    const depth = peak.growth === 0 ? 0 : 1 - growth / peak.growth;
    if (depth > (deepest?.depth ?? 0)) deepest = { depth, peakAtMs: peak.atMs, lowAtMs: atMs };
  }
  return deepest;
}
