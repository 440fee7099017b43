import { type GrowthPoint, returnOver } from "./growth.ts";

/** Return of one UTC month, adjusted for deposits and withdrawals. */
export interface MonthlyReturn {
  /** Like 2026-05. */
  readonly month: string;
  /** Null where the value at its start or end is unknown: what is known of it is no return of the month. */
  readonly rate: number | null;
  /** The curve begins within the month, or part of the month is unknown. */
  readonly isPartial: boolean;
}

/** Returns a row for every month from the first point to the last, oldest first. */
export function monthlyReturns(curve: readonly GrowthPoint[]): readonly MonthlyReturn[] {
  const [first, last] = [curve[0], curve.at(-1)];
  if (first === undefined || last === undefined) return [];
  const byMonth = new Map<string, GrowthPoint[]>();
  let [points, untilMs]: [GrowthPoint[], number] = [[], -Infinity];
  for (const point of curve) {
    // Writing every time as text would take most of the time of a curve
    if (point.atMs >= untilMs) {
      points = [];
      byMonth.set(monthOf(point.atMs), points);
      untilMs = monthAfter(point.atMs);
    }
    points.push(point);
  }
  let opening: number | null = null;
  return monthsFrom(first.atMs, last.atMs).map((month, at) => {
    const points = byMonth.get(month) ?? [];
    const known = points.flatMap(({ growth }) => (growth === null ? [] : [growth]));
    const from: number | null = at === 0 ? (known[0] ?? null) : opening;
    // A month without a point had no activity; its return is known
    const to = points.length === 0 ? from : (points.at(-1)?.growth ?? null);
    opening = to;
    return {
      month,
      rate: from === null || to === null ? null : returnOver(from, to),
      isPartial: at === 0 || from === null || known.length < points.length,
    };
  });
}

/**
 * Returns the return of every month in which a bar closed, from the value at the start and at each bar's close. A close
 * at midnight belongs to the day before.
 */
export function monthlyReturnsOfBars(
  start: number,
  times: ArrayLike<number>,
  worths: ArrayLike<number>,
): readonly MonthlyReturn[] {
  const closes = Array.from(times, (time, at) => ({
    atMs: time - 1,
    growth: start > 0 ? (worths[at] ?? 0) / start : 1,
  }));
  const months = new Set<string>();
  let untilMs = -Infinity;
  for (const { atMs } of closes) {
    if (atMs < untilMs) continue;
    months.add(monthOf(atMs));
    untilMs = monthAfter(atMs);
  }
  const [first] = closes;
  const curve = first === undefined ? [] : [{ atMs: first.atMs, growth: 1 }, ...closes];
  return monthlyReturns(curve).filter(({ month }) => months.has(month));
}

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

function monthAfter(ms: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
}

function monthsFrom(fromMs: number, toMs: number): string[] {
  const months: string[] = [];
  const at = new Date(fromMs);
  at.setUTCDate(1);
  at.setUTCHours(0, 0, 0, 0);
  for (; at.getTime() <= toMs; at.setUTCMonth(at.getUTCMonth() + 1)) {
    months.push(monthOf(at.getTime()));
  }
  return months;
}
