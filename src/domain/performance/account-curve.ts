import { drawdownCurve, growthOf, largestDrawdown, type ValuePoint } from "../measures/growth.ts";
import { longestStepMs } from "./range.ts";

/** A recorded value of an account: `netFlow` is total deposits less total withdrawals until then. */
export interface RecordedPoint {
  readonly atMs: number;
  readonly value: bigint;
  readonly netFlow: bigint;
}

/** A time span without data, or one with an open position. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Time with an open position, milliseconds, above which a span without points is a gap: a point follows each fill within
 * minutes.
 */
const OPEN_UNRECORDED_MS = 10 * 60_000;

/**
 * Returns the spans without a point for longer than points may be apart in which positions were open, however many and
 * short. A flat account keeps its value and has no gaps.
 */
export function gapsOf(
  points: readonly RecordedPoint[],
  open: readonly Span[],
  nowMs: number,
): readonly Span[] {
  const starting = open.toSorted((one, other) => one.fromMs - other.fromMs);
  let begun = 0;
  let running: Span[] = [];
  return points.flatMap(({ atMs }, at) => {
    const next = points[at + 1]?.atMs ?? nowMs;
    if (next - atMs <= longestStepMs(atMs, nowMs)) return [];
    for (let span = starting[begun]; span !== undefined && span.fromMs < next;) {
      running.push(span);
      begun += 1;
      span = starting[begun];
    }
    // Points are in order: a span that ended before this one matters to none after it
    running = running.filter(({ toMs }) => toMs > atMs);
    const openMs = running.reduce(
      (sum, { fromMs, toMs }) => sum + Math.min(toMs, next) - Math.max(fromMs, atMs),
      0,
    );
    return openMs > OPEN_UNRECORDED_MS ? [{ fromMs: atMs, toMs: next }] : [];
  });
}

/**
 * Returns the points with a point of unknown value in each gap.
 *
 * The account's value at a deposit or withdrawal within a gap is unknown: the flow is assigned to the inserted point,
 * where it breaks the linked growth.
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

/** A deposit, or a negative withdrawal, of the quote token at the time of its block. */
export interface BookedFlow {
  readonly atMs: number;
  readonly amount: bigint;
}

/**
 * Returns the known points with each booked flow between two of them at its own time, for a return that depends on time.
 * Whatever else a point says came in, such as the worth of an asset, stays at the point. A flow that a point of a later time
 * does not have yet, because it was booked after it, counts from its own time on as well. Flows are in order.
 */
export function withBookedFlows(
  points: readonly ValuePoint[],
  flows: readonly BookedFlow[],
): readonly ValuePoint[] {
  let [next, unplaced, isBegun] = [0, 0n, false];
  const placed = points.flatMap((point): ValuePoint[] => {
    unplaced += point.flow;
    if (point.value === null) return [];
    const inside: ValuePoint[] = [];
    for (let flow = flows[next]; flow !== undefined && flow.atMs <= point.atMs;) {
      if (isBegun) {
        inside.push({ atMs: flow.atMs, value: null, flow: flow.amount });
        unplaced -= flow.amount;
      }
      next += 1;
      flow = flows[next];
    }
    isBegun = true;
    const known = { ...point, flow: unplaced };
    unplaced = 0n;
    return [...inside, known];
  });
  return withoutLate(placed);
}

/** Drops what a flow that was booked late left in the point after it and took from a later one. */
function withoutLate(placed: readonly ValuePoint[]): readonly ValuePoint[] {
  const left = placed.map(({ value, flow }) => (value === null ? 0n : flow));
  for (const [at, flow] of left.entries()) {
    const until = flow === 0n || placed[at - 1]?.value !== null ? -1 : left.indexOf(-flow, at + 1);
    if (until < 0) continue;
    left[at] = 0n;
    left[until] = 0n;
  }
  return placed.map((point, at) =>
    point.value === null ? point : { ...point, flow: left[at] ?? 0n },
  );
}

/**
 * Returns the points within a span, preceded by the value at its start; a span that starts before the history begins
 * with the first point.
 */
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
  /** Growth since the first point, adjusted for deposits and withdrawals; null where it is unknown. */
  readonly growth: number | null;
  /** Drawdown from the highest earlier point, 0 to 1; null where it is unknown. */
  readonly drawdown: number | null;
}

/**
 * Returns the curve reduced to about `most` points: every n-th point, every gap, and both ends of the largest drawdown,
 * so that the drawing agrees with the figures.
 */
export function reduceCurve(points: readonly ValuePoint[], most: number): readonly CurvePoint[] {
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
