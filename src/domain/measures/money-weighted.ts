import { ratioOf } from "../amount.ts";
import type { ValuePoint } from "./growth.ts";

/** A flow, negative for a withdrawal, and the share of the whole time that remained after it. */
interface Working {
  readonly amount: number;
  readonly weight: number;
}

/** Lower bound of the searched growth over the whole time. */
const LEAST_GROWTH = 1e-9;
const MOST_GROWTH = 1e12;

/** Steps of the search for solutions where withdrawals make more than one possible. */
const STEPS = 420;

/**
 * Returns the money-weighted return (IRR) over the time since the first deposit: the rate at which every flow grows to
 * the last value.
 *
 * Null where no time passed, nothing was deposited, or there is no unique solution. Values between the first and the
 * last are not needed, so gaps do not matter.
 */
export function moneyWeightedReturn(points: readonly ValuePoint[]): number | null {
  const known = points.slice(points.findIndex(({ value }) => value !== null));
  const working = sinceMoney(known);
  const [first, ...later] = working;
  const last = working.findLast(({ value }) => value !== null);
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return null;
  // Rates do not depend on the unit; this unit keeps sums of doubles near 1
  const unit =
    points.reduce((most, { flow }) => (flow > most ? flow : most), first.value ?? 1n) || 1n;
  const weightOf = (atMs: number) => (last.atMs - atMs) / (last.atMs - first.atMs);
  const flows = later
    .filter(({ atMs, flow }) => atMs <= last.atMs && flow !== 0n)
    .map(({ atMs, flow }) => ({ amount: ratioOf(flow, unit), weight: weightOf(atMs) }));
  // For an account that was empty before, the deposit seen at its first reading is the start, not the value left of it
  const isEmptyBefore = working.length < known.length && first.flow > 0n;
  const opening = isEmptyBefore ? first.flow : (first.value ?? first.flow);
  return rateOf(
    [{ amount: ratioOf(opening, unit), weight: 1 }, ...flows],
    ratioOf(last.value ?? 0n, unit),
  );
}

/** Leaves out the time before the first deposit. */
function sinceMoney(points: readonly ValuePoint[]): readonly ValuePoint[] {
  const begun = points.findIndex(({ value, flow }, at) => value !== 0n || (at > 0 && flow !== 0n));
  return begun < 0 ? [] : points.slice(begun);
}

function rateOf(working: readonly Working[], end: number): number | null {
  const isOnlyIn = working.every(({ amount }) => amount >= 0);
  if (!working.some(({ amount, weight }) => amount > 0 && weight > 0)) return null;
  if (end <= 0 && isOnlyIn) return -1;
  const excess = (growth: number) =>
    working.reduce((sum, { amount, weight }) => sum + amount * growth ** weight, -end);
  const brackets = isOnlyIn ? [[LEAST_GROWTH, MOST_GROWTH] as const] : findBrackets(excess);
  const [bracket] = brackets;
  if (bracket === undefined || brackets.length > 1) return null;
  if (excess(bracket[0]) * excess(bracket[1]) > 0) return null;
  return bisect(excess, bracket) - 1;
}

function findBrackets(excess: (growth: number) => number): (readonly [number, number])[] {
  const step = (MOST_GROWTH / LEAST_GROWTH) ** (1 / STEPS);
  const grid = Array.from({ length: STEPS + 1 }, (_, at) => LEAST_GROWTH * step ** at);
  return grid.slice(1).flatMap((to, at) => {
    const from = grid[at] ?? LEAST_GROWTH;
    return excess(from) < 0 !== excess(to) < 0 ? [[from, to] as const] : [];
  });
}

/** Bisects the bracket logarithmically until doubles cannot tell its ends apart. */
function bisect(excess: (growth: number) => number, [from, to]: readonly [number, number]): number {
  let [low, high] = [Math.log(from), Math.log(to)];
  const isRising = excess(from) < excess(to);
  for (let tries = 0; tries < 200 && high - low > 1e-15; tries += 1) {
    const middle = (low + high) / 2;
    if (excess(Math.exp(middle)) < 0 === isRising) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}
