import { MAX_INTERVAL_MINUTES, MIN_INTERVAL_MINUTES } from "../src/domain/interval.ts";
import { barSpanAt } from "../src/strategy/bar-times.ts";

const MINUTE_MS = 60_000;

/** Minimum time before the close, enough to save the interval in the page, in milliseconds. */
const LEAST_AHEAD_MS = 90_000;
/** In two years 17 minutes at most, at one moment just after midnight; within four minutes at 8 of 10 of these moments. */
const MOST_AHEAD_MS = 20 * MINUTE_MS;

/** Agent interval with the time of its next close. */
export interface SoonClosing {
  readonly minutes: number;
  readonly closesAtMs: number;
}

/**
 * Returns the interval whose bar closes soonest, yet not before it can be saved.
 *
 * Up to a day bars begin anew at midnight, so most minutes of a day end one. In its first half hour only those longer
 * than a day do, which are counted from the Unix epoch.
 */
export function findSoonClosing(nowMs: number): SoonClosing {
  let soonest: SoonClosing | null = null;
  for (let minutes = MIN_INTERVAL_MINUTES; minutes <= MAX_INTERVAL_MINUTES; minutes++) {
    const { closeTimeMs } = barSpanAt(minutes, nowMs + LEAST_AHEAD_MS);
    if (soonest !== null && closeTimeMs >= soonest.closesAtMs) continue;
    soonest = { minutes, closesAtMs: closeTimeMs };
  }
  if (soonest === null || soonest.closesAtMs > nowMs + MOST_AHEAD_MS) {
    throw new Error("No bar closes soon.");
  }
  return soonest;
}
