/** The rows of a list that are drawn, the end left out, and the room the others take, in pixels. */
export interface MessageWindow {
  readonly start: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/** What is seen of a list. */
export interface Viewport {
  /** Pixels scrolled past the first row; null at the end of the list, wherever that is. */
  readonly top: number | null;
  /** Height of what is visible; 0 while unknown. */
  readonly height: number;
}

/** Drawn beyond each edge, in pixels, so that a quick scroll meets no gap. */
const OVERSCAN_PX = 500;
/** Taken for visible where the height is not known yet. */
const FIRST_PX = 900;

/** Width of a line of text, in characters, and its height, in pixels: how high a row may be that was never drawn. */
const LINE_LENGTH = 56;
const LINE_PX = 20;
const REST_PX = 60;

const sum = (heights: readonly number[]) => heights.reduce((total, height) => total + height, 0);

/** Returns about how high a message is drawn, in pixels. */
export function guessHeight(content: string): number {
  const lines = content.split("\n").map(({ length }) => Math.ceil(length / LINE_LENGTH));
  return REST_PX + sum(lines) * LINE_PX;
}

/** Returns which rows to draw of a list with rows of these heights. */
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
