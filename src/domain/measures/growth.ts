import { ratioOf } from "../amount.ts";

/** Value of an account at a moment, after all deposits and withdrawals until then. Quote base units. */
export interface ValuePoint {
  readonly atMs: number;
  /** Null where it is unknown. */
  readonly value: bigint | null;
  /** Deposits less withdrawals since the previous point. */
  readonly flow: bigint;
}

/** Growth factor since the first point, adjusted for deposits and withdrawals. */
export interface GrowthPoint {
  readonly atMs: number;
  /** 1 at the start, 0 after a total loss; null where it is unknown. */
  readonly growth: number | null;
}

/** Returns the return from one value to a later one without flows between them: 0.1 is ten percent; 0 from nothing. */
export const returnOver = (from: number, to: number): number => (from > 0 ? to / from - 1 : 0);

interface Link {
  readonly growth: number | null;
  readonly value: bigint | null;
  /** Money moved since the last known value. */
  readonly hasFlow: boolean;
}

/**
 * Links the growth between points, each relative to the value before the point's flow.
 *
 * A missing value leaves a gap. A flow within a gap ends the chain: the account's value at that moment is unknown, and
 * all later growth would be a guess.
 */
export function growthOf(points: readonly ValuePoint[]): readonly GrowthPoint[] {
  let link: Link | null = null;
  return points.map((point) => {
    const next: Link = link === null ? firstLink(point) : linked(link, point);
    link = next;
    return { atMs: point.atMs, growth: point.value === null ? null : next.growth };
  });
}

/** Returns the time-weighted return over the whole time; null where it is unknown. */
export function timeWeightedReturn(points: readonly ValuePoint[]): number | null {
  const known = points.filter(({ value }) => value !== null);
  if (known.length < 2) return null;
  const growth = growthOf(points).findLast((_, at) => points[at]?.value !== null)?.growth ?? null;
  return growth === null ? null : growth - 1;
}

const firstLink = ({ value }: ValuePoint): Link => ({ growth: 1, value, hasFlow: false });

function linked(before: Link, { value, flow }: ValuePoint): Link {
  if (value === null) return { ...before, hasFlow: before.hasFlow || flow !== 0n };
  // Nothing was known before: growth starts here
  if (before.value === null) return { growth: before.growth, value, hasFlow: false };
  const isUnknown = before.growth === null || before.hasFlow;
  const factor = isUnknown ? null : factorOf(before.value, value, flow);
  return {
    growth: factor === null || before.growth === null ? null : before.growth * factor,
    value,
    hasFlow: false,
  };
}

/** A deposit into an empty account counts before the growth; an account without value cannot grow. */
function factorOf(before: bigint, value: bigint, flow: bigint): number | null {
  if (before > 0n) return ratio(value - flow, before);
  if (flow > 0n) return before === 0n ? ratio(value, flow) : null;
  return flow === 0n && value === before ? 1 : null;
}

/** A negative value counts as zero: no more than everything can be lost. */
const ratio = (part: bigint, whole: bigint): number => (part <= 0n ? 0 : ratioOf(part, whole));

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
