import { drawdownCurve, largestDrawdown } from "./drawdown.ts";
import { growthOf } from "./growth.ts";
import { longestStepMs } from "./marks.ts";
import type { ValuePoint } from "./value-point.ts";

/** A recorded worth of an account: `netFlow` is everything that came in less what went out until then. */
export interface RecordedPoint {
  readonly atMs: number;
  readonly value: bigint;
  readonly netFlow: bigint;
}

/** A span of which nothing is known, or in which something was open. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns the spans without a point in which something was open for longer than points may be apart: flat, worth stays. */
export function gapsOf(
  points: readonly RecordedPoint[],
  open: readonly Span[],
  nowMs: number,
): readonly Span[] {
  return points.flatMap(({ atMs }, at) => {
    const next = points[at + 1]?.atMs ?? nowMs;
    const longest = longestStepMs(atMs, nowMs);
    if (next - atMs <= longest) return [];
    const isOpen = open.some(
      ({ fromMs, toMs }) => Math.min(toMs, next) - Math.max(fromMs, atMs) > longest,
    );
    return isOpen ? [{ fromMs: atMs, toMs: next }] : [];
  });
}

/**
 * Returns the points with a hole in each gap.
 *
 * Money that moved within a gap moved at a worth nobody knows: it is put into the hole, where it breaks what is linked
 * over it.
 */
export function withGaps(
  points: readonly RecordedPoint[],
  gaps: readonly Span[],
): readonly ValuePoint[] {
  const begun = new Set(gaps.map(({ fromMs }) => fromMs));
  return points.flatMap(({ atMs, value, netFlow }, at): ValuePoint[] => {
    const before = points[at - 1];
    const flow = before === undefined ? netFlow : netFlow - before.netFlow;
    if (before === undefined || !begun.has(before.atMs)) return [{ atMs, value, flow }];
    const hole = { atMs: before.atMs + 1, value: null, flow };
    return [hole, { atMs, value, flow: 0n }];
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
  /** How far it is below the highest point before it, 0 to 1; null where it cannot be known. */
  readonly drawdown: number | null;
}

/**
 * Returns the curve of points with about so many of them: the last of each step, every hole, and both ends of the largest
 * fall, so that the drawing shows what the figures say.
 */
export function thinCurve(points: readonly ValuePoint[], most: number): readonly CurvePoint[] {
  const growth = growthOf(points);
  const drawdowns = drawdownCurve(growth);
  const fall = largestDrawdown(growth);
  const curve = points.map((point, at) => ({
    ...point,
    growth: growth[at]?.growth ?? null,
    drawdown: drawdowns[at] ?? null,
  }));
  const step = Math.ceil(curve.length / most);
  return curve.filter(
    ({ value, atMs }, at) =>
      value === null ||
      at === 0 ||
      at === curve.length - 1 ||
      at % step === 0 ||
      atMs === fall?.peakAtMs ||
      atMs === fall?.lowAtMs,
  );
}
