/** Range of rendered rows, end exclusive, and the height of the rows before and after it, in pixels. */
export interface MessageWindow {
  readonly start: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/** Visible part of a list. */
export interface Viewport {
  /** Scroll offset in pixels; null when scrolled to the end. */
  readonly top: number | null;
  /** Visible height in pixels; 0 while unknown. */
  readonly height: number;
}

/** Overscan beyond each edge in pixels, so that fast scrolling shows no gap. */
const OVERSCAN_PX = 500;
/** Assumed visible height while it is unknown, in pixels. */
const FIRST_PX = 900;

/** Characters per line and line height in pixels, for estimating the height of unrendered rows. */
const LINE_LENGTH = 56;
const LINE_PX = 20;
const REST_PX = 60;

export const sum = (heights: readonly number[]) =>
  heights.reduce((total, height) => total + height, 0);

/** Returns an estimated height of a message, in pixels. */
export function guessHeight(content: string): number {
  const lines = content.split("\n").map(({ length }) => Math.ceil(length / LINE_LENGTH));
  return REST_PX + sum(lines) * LINE_PX;
}

/** Returns the rows to render for the given row heights. */
export function messageWindow(
  heights: readonly number[],
  { top, height }: Viewport,
): MessageWindow {
  const room = (height === 0 ? FIRST_PX : height) + OVERSCAN_PX;
  let start = 0;
  let end = heights.length;
  if (top === null) {
    start = end;
    for (let filled = 0; start > 0 && filled < room; filled += heights[start] ?? 0) start -= 1;
  } else {
    let at = 0;
    while (start < heights.length - 1 && at + (heights[start] ?? 0) <= top - OVERSCAN_PX) {
      at += heights[start] ?? 0;
      start += 1;
    }
    end = start;
    for (; end < heights.length && at < top + room; end += 1) at += heights[end] ?? 0;
  }
  return { start, end, before: sum(heights.slice(0, start)), after: sum(heights.slice(end)) };
}
