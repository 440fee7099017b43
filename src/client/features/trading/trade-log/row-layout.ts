/** Layout of rows: columns, or two-line cards on narrow widths. */
export interface RowLayout {
  readonly isCard: boolean;
  /** Fixed row height in pixels, so that rows off screen need not be rendered. */
  readonly rowPx: number;
  /** Height of an opened row's details in pixels, more when a reason is shown. */
  readonly detailsPx: number;
  readonly reasonPx: number;
}

/** Width below which columns become cards, in pixels. */
const CARD_BELOW_PX = 800;
const REASON_PX = 20;

/** Returns the layout for a width in pixels; 0 means unknown. */
export function rowLayout(widthPx: number, hasReasons: boolean): RowLayout {
  const isCard = widthPx > 0 && widthPx < CARD_BELOW_PX;
  const rowPx = (isCard ? 60 : 48) + (hasReasons ? REASON_PX : 0);
  return {
    isCard,
    rowPx,
    detailsPx: isCard ? 218 : 142,
    reasonPx: isCard ? 76 : 44,
  };
}

/** Grid shared by head and rows. */
export const COLUMN_GRID =
  "grid grid-cols-[minmax(84px,1.2fr)_minmax(72px,1fr)_minmax(64px,0.7fr)_minmax(64px,0.6fr)_minmax(60px,0.7fr)_minmax(92px,1.4fr)_minmax(76px,1fr)_minmax(76px,1fr)_minmax(104px,1fr)] content-center items-center gap-x-2.5 px-4";

/** Market, side and signal above; size, share, type and P&L below; date at the end of both. The price is in the details. */
export const CARD_GRID =
  "grid grid-cols-[auto_auto_1fr_auto] items-center gap-x-2.5 px-3 content-center";
