/** How a row is laid out: columns side by side, or a card of two lines where they would not fit. */
export interface RowLayout {
  readonly isCard: boolean;
  /** Every row is exactly this high, so that thousands of them can be left out while off screen. */
  readonly rowPx: number;
  readonly headPx: number;
  /** Height of what an opened row shows below itself, and what words on its reason add. */
  readonly detailsPx: number;
  readonly reasonPx: number;
}

/** Narrower than this the columns become cards, in pixels. */
const CARD_BELOW_PX = 720;
const REASON_PX = 20;

/** Returns the layout that fits a width; 0 is a width not known yet. */
export function rowLayout(widthPx: number, hasReasons: boolean): RowLayout {
  const isCard = widthPx > 0 && widthPx < CARD_BELOW_PX;
  const rowPx = (isCard ? 60 : 48) + (hasReasons ? REASON_PX : 0);
  return {
    isCard,
    rowPx,
    headPx: isCard ? 0 : 36,
    detailsPx: isCard ? 218 : 142,
    reasonPx: isCard ? 76 : 44,
  };
}

/** One grid for head and rows. */
export const COLUMN_GRID =
  "grid grid-cols-[minmax(88px,1.2fr)_minmax(84px,1.1fr)_minmax(64px,0.8fr)_minmax(64px,0.8fr)_minmax(72px,0.8fr)_minmax(120px,1.4fr)_minmax(112px,1fr)] content-center items-center gap-x-3 px-4";

/** Market, side and signal above; size, share, type and date below. */
export const CARD_GRID =
  "grid grid-cols-[auto_auto_1fr_auto] items-center gap-x-2.5 px-3 content-center";
