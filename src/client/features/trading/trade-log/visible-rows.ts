/** Number of rows rendered beyond each edge, so that fast scrolling shows no gap. */
const OVERSCAN = 3;
/** Number of rows rendered while the height is unknown. */
const FIRST_ROWS = 30;

interface Viewport {
  /** Scroll offset, in pixels. */
  readonly scrollTop: number;
  /** Visible height in pixels; 0 while unknown. */
  readonly height: number;
}

/** Opened row and the height of its details. */
export interface OpenedRow {
  readonly index: number;
  readonly detailsPx: number;
}

/** Returns the pixels by which an opened row above shifts a row. */
export const shiftOf = (index: number, opened: OpenedRow | null): number =>
  opened !== null && index > opened.index ? opened.detailsPx : 0;

/** Returns the scroll offset without the opened row's details, in pixels. */
export function closedScrollTop(
  scrollTop: number,
  rowPx: number,
  opened: OpenedRow | null,
): number {
  if (opened === null) return scrollTop;
  const end = (opened.index + 1) * rowPx;
  return scrollTop <= end ? scrollTop : Math.max(end, scrollTop - opened.detailsPx);
}

/** Returns the range of rows to render, end exclusive. */
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
