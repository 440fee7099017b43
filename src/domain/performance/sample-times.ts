const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Bounds on the number of marks, and the most values read for one answer: marks times agents. */
const FEWEST_MARKS = 30;
const MOST_MARKS = 60;
const LOOKED_UP = 3_000;

/** Longest time an open position may go unrecorded: points are recorded hourly at first and daily later. */
export const SHORTEST_GAP_MS = 2 * HOUR_MS;
const THINNED_AFTER_MS = 89 * DAY_MS;
const LONGEST_THINNED_STEP_MS = 49 * HOUR_MS;

/** Returns evenly spaced marks of a span that end at its end; fewer of them for many agents. */
export function evenSampleTimes(fromMs: number, toMs: number, agents: number): readonly number[] {
  const affordable = Math.floor(LOOKED_UP / Math.max(1, agents));
  const count = Math.min(MOST_MARKS, Math.max(FEWEST_MARKS, affordable));
  const step = Math.max(1, Math.ceil((toMs - fromMs) / count));
  const marks: number[] = [];
  for (let mark = toMs; mark >= fromMs && marks.length <= count; mark -= step) marks.push(mark);
  return marks.toReversed();
}

/**
 * Returns how long the value of an open position recorded at a time stays valid without another point, milliseconds.
 */
export const longestStepMs = (atMs: number, nowMs: number): number =>
  nowMs - atMs > THINNED_AFTER_MS ? LONGEST_THINNED_STEP_MS : SHORTEST_GAP_MS;

/** Returns the preceding midnight UTC, Unix milliseconds. */
export const midnightBefore = (nowMs: number): number => nowMs - (nowMs % DAY_MS);
