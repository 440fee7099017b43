import { ratioOf } from "../amount.ts";
import type { ValuePoint } from "./value-point.ts";

/** What one unit of money that was there from the first point on has become, flows removed. */
export interface GrowthPoint {
  readonly atMs: number;
  /** 1 at first, 0 after a total loss; null where it cannot be known. */
  readonly growth: number | null;
}

interface Link {
  readonly growth: number | null;
  readonly value: bigint | null;
  /** Money moved since the last known value. */
  readonly hasFlow: boolean;
}

/**
 * Links the growth between points, each taken over what was there before its flow.
 *
 * A missing value leaves a gap. Money that moved within a gap breaks the chain for good: what the account was worth at that
 * moment is not known, and everything after would be a guess.
 */
export function growthOf(points: readonly ValuePoint[]): readonly GrowthPoint[] {
  let link: Link | null = null;
  return points.map((point) => {
    const next: Link = link === null ? firstLink(point) : linked(link, point);
    link = next;
    return { atMs: point.atMs, growth: point.value === null ? null : next.growth };
  });
}

/** Returns the growth over the whole time less one, flows removed; null where it cannot be known. */
export function timeWeightedReturn(points: readonly ValuePoint[]): number | null {
  const known = points.filter(({ value }) => value !== null);
  if (known.length < 2) return null;
  const growth = growthOf(points).findLast((_, at) => points[at]?.value !== null)?.growth ?? null;
  return growth === null ? null : growth - 1;
}

const firstLink = ({ value }: ValuePoint): Link => ({ growth: 1, value, hasFlow: false });

function linked(before: Link, { value, flow }: ValuePoint): Link {
  if (value === null) return { ...before, hasFlow: before.hasFlow || flow !== 0n };
  // Nothing was known before: growth begins here
  if (before.value === null) return { growth: before.growth, value, hasFlow: false };
  const isUnknown = before.growth === null || before.hasFlow;
  const factor = isUnknown ? null : factorOf(before.value, value, flow);
  return {
    growth: factor === null || before.growth === null ? null : before.growth * factor,
    value,
    hasFlow: false,
  };
}

/** Into an empty account money comes first and grows then; of nothing nothing can grow. */
function factorOf(before: bigint, value: bigint, flow: bigint): number | null {
  if (before > 0n) return ratio(value - flow, before);
  if (flow > 0n) return before === 0n ? ratio(value, flow) : null;
  return flow === 0n && value === before ? 1 : null;
}

/** More than everything cannot be lost of what was there. */
const ratio = (part: bigint, whole: bigint): number => (part <= 0n ? 0 : ratioOf(part, whole));
