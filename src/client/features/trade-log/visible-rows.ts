/** Rows drawn beyond the edges, so that a quick scroll meets no gap. */
const OVERSCAN = 3;
/** Rows drawn where the height is not known yet. */
const FIRST_ROWS = 30;

interface Viewport {
  /** Pixels scrolled past the first row. */
  readonly scrollTop: number;
  /** Height of what is visible; 0 while unknown. */
  readonly height: number;
}

/** Returns which rows of equal height to draw, the end left out. */
export function visibleRows(
  count: number,
  rowPx: number,
  { scrollTop, height }: Viewport,
): { readonly start: number; readonly end: number } {
  const first = Math.floor(Math.max(0, scrollTop) / rowPx);
  const shown = height === 0 ? FIRST_ROWS : Math.ceil(height / rowPx) + 1;
  const start = Math.max(0, Math.min(first, count - shown) - OVERSCAN);
  return { start, end: Math.min(count, Math.max(first, start) + shown + OVERSCAN) };
}
