import type { GrowthPoint } from "./drawdown.ts";
import { ratioOf } from "../amount.ts";
import type { ValuePoint } from "./value-point.ts";

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
