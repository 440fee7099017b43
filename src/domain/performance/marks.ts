const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Marks of a curve that many agents share: few enough to look each of them up. */
const MARKS = 60;

/** Longest something open may go unrecorded and still be known: points come once an hour, and later one a day. */
const LONGEST_STEP_MS = 2 * HOUR_MS;
const THINNED_AFTER_MS = 89 * DAY_MS;
const LONGEST_THINNED_STEP_MS = 49 * HOUR_MS;

/** Returns even marks of a span, its end the last one. */
export function evenMarks(fromMs: number, toMs: number): readonly number[] {
  const step = Math.max(1, Math.ceil((toMs - fromMs) / MARKS));
  const marks: number[] = [];
  for (let mark = toMs; mark >= fromMs && marks.length <= MARKS; mark -= step) marks.push(mark);
  return marks.toReversed();
}

/** Returns how long what was open at a time is known without another point. */
export const longestStepMs = (atMs: number, nowMs: number): number =>
  nowMs - atMs > THINNED_AFTER_MS ? LONGEST_THINNED_STEP_MS : LONGEST_STEP_MS;

/** Returns midnight UTC of the day a moment lies in. */
export const midnightBefore = (nowMs: number): number => nowMs - (nowMs % DAY_MS);
