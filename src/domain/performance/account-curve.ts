import { growthOf } from "./growth.ts";
import type { ValuePoint } from "./value-point.ts";

/** A recorded worth of an account: `netFlow` is everything that came in less what went out until then. */
export interface RecordedPoint {
  readonly atMs: number;
  readonly value: bigint;
  readonly netFlow: bigint;
  readonly cause: "fill" | "flow" | "hour";
  /** Something was open, so that the worth could change by itself. */
  readonly isOpen: boolean;
}

/** A span of which nothing is known. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

const HOUR_MS = 3_600_000;

/** Points come once an hour; one may be late by as much. */
const LONGEST_STEP_MS = 2 * HOUR_MS;

/** Points older than this are thinned to one a day. */
const THINNED_AFTER_MS = 89 * 24 * HOUR_MS;

const LONGEST_THINNED_STEP_MS = 49 * HOUR_MS;

/** Returns the spans in which something was open and no point was recorded. */
export function gapsOf(points: readonly RecordedPoint[], nowMs: number): readonly Gap[] {
  return points.flatMap((point, at) => {
    const next = points[at + 1]?.atMs ?? nowMs;
    const isThinned = nowMs - point.atMs > THINNED_AFTER_MS;
    const longest = isThinned ? LONGEST_THINNED_STEP_MS : LONGEST_STEP_MS;
    // Where something is open after a flat point its opening was not seen
    const isUnseen = points[at + 1]?.isOpen === true && points[at + 1]?.cause === "hour";
    return (point.isOpen || isUnseen) && next - point.atMs > longest
      ? [{ fromMs: point.atMs, toMs: next }]
      : [];
  });
}

/**
 * Returns the points with a hole in each gap.
 *
 * Money that moved within a gap and was not seen as it did moved at a worth nobody knows: it is put into the hole, where it
 * breaks what is linked over it.
 */
export function withGaps(
  points: readonly RecordedPoint[],
  gaps: readonly Gap[],
): readonly ValuePoint[] {
  const begun = new Set(gaps.map(({ fromMs }) => fromMs));
  return points.flatMap((point, at): ValuePoint[] => {
    const before = points[at - 1];
    const flow = before === undefined ? point.netFlow : point.netFlow - before.netFlow;
    const shown = { atMs: point.atMs, value: point.value, flow };
    if (before === undefined || !begun.has(before.atMs)) return [shown];
    const isSeen = point.cause === "flow" || flow === 0n;
    const hole = { atMs: before.atMs + 1, value: null, flow: isSeen ? 0n : flow };
    return [hole, { ...shown, flow: isSeen ? flow : 0n }];
  });
}

/** Returns what of a history lies in a span, begun with the worth it had then; a span before all of it begins with its first. */
export function pointsSince(
  points: readonly ValuePoint[],
  fromMs: number | null,
): readonly ValuePoint[] {
  if (fromMs === null) return points;
  const inside = points.filter(({ atMs }) => atMs >= fromMs);
  const before = points.findLast(({ atMs }) => atMs < fromMs);
  return before === undefined ? inside : [{ ...before, atMs: fromMs, flow: 0n }, ...inside];
}

/** One point of a curve as it is drawn. */
export interface CurvePoint extends ValuePoint {
  /** Growth since the first point, flows removed; null where it cannot be known. */
  readonly growth: number | null;
}

/** Returns the curve of points with at most so many of them: the last of each step, and every hole. */
export function thinCurve(points: readonly ValuePoint[], most: number): readonly CurvePoint[] {
  const growth = growthOf(points);
  const curve = points.map((point, at) => ({ ...point, growth: growth[at]?.growth ?? null }));
  const step = Math.ceil(curve.length / most);
  return curve.filter(
    ({ value }, at) => value === null || at === 0 || at === curve.length - 1 || at % step === 0,
  );
}
