const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Marks of a curve that many agents share, and how many worths are looked up for one answer. */
const FEWEST_MARKS = 30;
const MOST_MARKS = 60;
const LOOKED_UP = 3_000;

/** Longest something open may go unrecorded and still be known: points come once an hour, and later one a day. */
const LONGEST_STEP_MS = 2 * HOUR_MS;
const THINNED_AFTER_MS = 89 * DAY_MS;
const LONGEST_THINNED_STEP_MS = 49 * HOUR_MS;

/** Returns even marks of a span, its end the last one; fewer of them where many agents are looked up. */
export function evenMarks(fromMs: number, toMs: number, agents: number): readonly number[] {
  const affordable = Math.floor(LOOKED_UP / Math.max(1, agents));
  const count = Math.min(MOST_MARKS, Math.max(FEWEST_MARKS, affordable));
  const step = Math.max(1, Math.ceil((toMs - fromMs) / count));
  const marks: number[] = [];
  for (let mark = toMs; mark >= fromMs && marks.length <= count; mark -= step) marks.push(mark);
  return marks.toReversed();
}

/** Returns how long what was open at a time is known without another point. */
export const longestStepMs = (atMs: number, nowMs: number): number =>
  nowMs - atMs > THINNED_AFTER_MS ? LONGEST_THINNED_STEP_MS : LONGEST_STEP_MS;

/** Returns midnight UTC of the day a moment lies in. */
export const midnightBefore = (nowMs: number): number => nowMs - (nowMs % DAY_MS);
