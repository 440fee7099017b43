/** Selectable time ranges; `all` begins at the first point. */
export const RANGES = ["7d", "30d", "90d", "1y", "all"] as const;

export type Range = (typeof RANGES)[number];

const DAY_MS = 86_400_000;

const DAYS: Readonly<Record<Exclude<Range, "all">, number>> = {
  "7d": 7,
  "30d": 30,
  "90d": 90,
  "1y": 365,
};

/** Returns the start of a range, Unix milliseconds; null for `all`. */
export const rangeStart = (range: Range, nowMs: number): number | null =>
  range === "all" ? null : nowMs - DAYS[range] * DAY_MS;

const HOUR_MS = 3_600_000;

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
