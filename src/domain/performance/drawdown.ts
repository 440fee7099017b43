import type { GrowthPoint } from "./growth.ts";

/** The largest drawdown of a curve from an earlier peak. */
export interface Drawdown {
  /** Share lost, 0 to 1. */
  readonly depth: number;
  readonly peakAtMs: number;
  readonly lowAtMs: number;
}

/** Returns each point's drawdown from the highest earlier point, 0 to 1; null where it is unknown. */
export function drawdownCurve(curve: readonly GrowthPoint[]): readonly (number | null)[] {
  let peak = 0;
  return curve.map(({ growth }) => {
    if (growth === null) return null;
    peak = Math.max(peak, growth);
    return peak === 0 ? 0 : 1 - growth / peak;
  });
}

/** Returns the largest drawdown among the known points; null where the curve never fell. */
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
