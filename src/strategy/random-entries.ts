import type { Random } from "./random.ts";
import type { SimulationResult } from "./simulation.ts";

/** Number of random runs. */
const DRAWS = 1_000;

/** How a run compares with entries at random times. */
export interface RandomEntries {
  /** Share of the random runs that did at least as well. */
  readonly share: number;
  /** The middle random run's sum of price moves; 0.1 is ten percent. */
  readonly middle: number;
}

/** Returns the number of bars that closed at or before a time. */
function closedBy(times: Float64Array, atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Compares the times of a run's trades with random ones: as many trades, each of the same side and length, entered at
 * random bars. Only price moves count, from close to close, since the costs of both are the same. Null without a closed
 * trade.
 */
export function randomEntries(
  { trades, times, closes, firstOpen }: SimulationResult,
  random: Random,
): RandomEntries | null {
  const priceAfter = (bars: number) => (bars === 0 ? firstOpen : (closes[bars - 1] ?? 0));
  const moves = trades.flatMap(({ side, enteredAtMs, exitedAtMs }) => {
    if (exitedAtMs === null) return [];
    const from = closedBy(times, enteredAtMs);
    const bars = Math.max(1, closedBy(times, exitedAtMs) - from);
    return from + bars > times.length ? [] : [{ sign: side === "long" ? 1 : -1, from, bars }];
  });
  if (moves.length === 0) return null;
  const moveOf = (sign: number, from: number, bars: number) =>
    sign * (priceAfter(from + bars) / priceAfter(from) - 1);
  const own = moves.reduce((sum, { sign, from, bars }) => sum + moveOf(sign, from, bars), 0);
  const drawn = Array.from({ length: DRAWS }, () =>
    moves.reduce((sum, { sign, bars }) => {
      const from = Math.floor(random() * (times.length - bars + 1));
      return sum + moveOf(sign, from, bars);
    }, 0),
  ).toSorted((one, other) => one - other);
  return {
    share: drawn.filter((each) => each >= own).length / DRAWS,
    middle: drawn[DRAWS >> 1] ?? 0,
  };
}
