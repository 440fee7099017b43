/** Growth factor since the first point, adjusted for deposits and withdrawals. */
export interface GrowthPoint {
  readonly atMs: number;
  /** 1 at the start, 0 after a total loss; null where it is unknown. */
  readonly growth: number | null;
}

/** The largest drawdown of a curve from an earlier peak. */
export interface Drawdown {
  /** Share lost, 0 to 1. */
  readonly depth: number;
  readonly peakAtMs: number;
  readonly lowAtMs: number;
}

/** Returns a function from each next value of a curve to its drawdown, as a share of the highest value before it. */
export function createDrawdown(peak = 0): (value: number) => number {
  let highest = peak;
  return (value) => {
    highest = Math.max(highest, value);
    return highest > 0 ? 1 - value / highest : 0;
  };
}

/** Returns each point's drawdown from the highest earlier point, 0 to 1; null where it is unknown. */
export function drawdownCurve(curve: readonly GrowthPoint[]): readonly (number | null)[] {
  const drawdown = createDrawdown();
  return curve.map(({ growth }) => (growth === null ? null : drawdown(growth)));
}

/** Returns the maximum drawdown as a share of the peak: 0.1 is ten percent. */
export function maxDrawdownOf(worths: ArrayLike<number>): number {
  const drawdown = createDrawdown();
  let deepest = 0;
  for (let at = 0; at < worths.length; at += 1) {
    deepest = Math.max(deepest, drawdown(worths[at] ?? 0));
  }
  return deepest;
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
