import type { PublishedFunding, SimulationCosts } from "./simulation.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** Returns the costs of an order at a time: half the spread is the venue's, or what was measured in that hour if more. */
export function costsAt(costs: SimulationCosts, atMs: number): SimulationCosts {
  const hour = Math.floor(atMs / HOUR_MS) % DAY_HOURS;
  const measured = costs.halfSpreadPpmByHour?.[hour] ?? 0;
  return measured > costs.halfSpreadPpm ? { ...costs, halfSpreadPpm: measured } : costs;
}

/** Returns the first place whose time is at or after another one. */
function placeOf(times: readonly number[], atMs: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? 0) < atMs) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Funding of a span: the share that published rates add up to, and the time that none covers. */
interface FundingOver {
  /** Share of the position's value that a long pays. */
  readonly share: number;
  readonly uncoveredMs: number;
}

/**
 * Returns the funding over spans. A published rate accrues evenly over the time since the one before it; the first one
 * over as long a time as the second.
 */
export function fundingOver(
  published: PublishedFunding | undefined,
): (fromMs: number, toMs: number) => FundingOver {
  const { atMs = [], ppm = [] } = published ?? {};
  const [first = 0, second = 0] = atMs;
  if (atMs.length < 2) return (fromMs, toMs) => ({ share: 0, uncoveredMs: toMs - fromMs });
  const starts = [2 * first - second, ...atMs];
  return (fromMs, toMs) => {
    let [share, coveredMs] = [0, 0];
    for (let at = placeOf(atMs, fromMs); at < atMs.length; at += 1) {
      const [start = 0, end = 0] = [starts[at], atMs[at]];
      if (start >= toMs) break;
      const withinMs = Math.min(end, toMs) - Math.max(start, fromMs);
      share += ((ppm[at] ?? 0) / 1_000_000) * (withinMs / (end - start));
      coveredMs += withinMs;
    }
    return { share, uncoveredMs: toMs - fromMs - coveredMs };
  };
}
