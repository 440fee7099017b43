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

/** One opened row and how much it shows below itself. */
export interface OpenedRow {
  readonly index: number;
  readonly detailsPx: number;
}

/** Pixels by which a row stands lower for what is opened above it. */
export const shiftOf = (index: number, opened: OpenedRow | null): number =>
  opened !== null && index > opened.index ? opened.detailsPx : 0;

/** Returns how far the list would be scrolled with nothing opened. */
export function closedScrollTop(
  scrollTop: number,
  rowPx: number,
  opened: OpenedRow | null,
): number {
  if (opened === null) return scrollTop;
  const end = (opened.index + 1) * rowPx;
  return scrollTop <= end ? scrollTop : Math.max(end, scrollTop - opened.detailsPx);
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
