import type { CandleFigures } from "../domain/candle-interval.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
export const WEEK_MS = 7 * DAY_MS;

/** Unix time began on a Thursday; weeks begin on Monday. */
export const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Open time of a bar and of the next one, Unix milliseconds. */
export interface BarSpan {
  readonly openTimeMs: number;
  readonly closeTimeMs: number;
}

/**
 * Returns the bar of an interval that contains a time. The interval is in whole minutes, one minute to one week.
 *
 * Bars of up to a day restart at 00:00 UTC, as on charting platforms, so a day's last bar is shorter where the interval
 * does not divide a day. Longer bars count whole days from the Unix epoch; weeks begin on Monday.
 */
export function barSpanAt(intervalMinutes: number, timeMs: number): BarSpan {
  const lengthMs = intervalMinutes * MINUTE_MS;
  if (lengthMs > DAY_MS) {
    const anchor = lengthMs === WEEK_MS ? FIRST_MONDAY_MS : 0;
    const openTimeMs = Math.floor((timeMs - anchor) / lengthMs) * lengthMs + anchor;
    return { openTimeMs, closeTimeMs: openTimeMs + lengthMs };
  }
  const dayStartMs = Math.floor(timeMs / DAY_MS) * DAY_MS;
  const openTimeMs = dayStartMs + Math.floor((timeMs - dayStartMs) / lengthMs) * lengthMs;
  return { openTimeMs, closeTimeMs: Math.min(openTimeMs + lengthMs, dayStartMs + DAY_MS) };
}

/** Returns the number of a bar among all bars of an interval since the Unix epoch; missing bars are counted. */
export function barNumberAt(intervalMinutes: number, openTimeMs: number): number {
  const lengthMs = intervalMinutes * MINUTE_MS;
  if (lengthMs > DAY_MS) {
    return Math.floor((openTimeMs - (lengthMs === WEEK_MS ? FIRST_MONDAY_MS : 0)) / lengthMs);
  }
  const day = Math.floor(openTimeMs / DAY_MS);
  const barsADay = Math.ceil(DAY_MS / lengthMs);
  return day * barsADay + Math.floor((openTimeMs - day * DAY_MS) / lengthMs);
}

/** Returns bars with those of other assets beside them; a bar that is missing there stays missing. */
export function withBeside(
  bars: readonly Bar[],
  others: ReadonlyMap<string, readonly Bar[]>,
): readonly Bar[] {
  if (others.size === 0) return bars;
  const byClose = [...others].map(
    ([asset, theirs]) => [asset, new Map(theirs.map((bar) => [bar.closeTimeMs, bar]))] as const,
  );
  return bars.map((bar) => {
    const beside = byClose.flatMap(([asset, closes]) => {
      const other = closes.get(bar.openTimeMs);
      return other === undefined ? [] : [[asset, other] as const];
    });
    return { ...bar, beside: Object.fromEntries(beside) };
  });
}

/** Returns the index of the first bar that opens at or after a time. */
export function firstFrom(bars: readonly Pick<Bar, "openTimeMs">[], openTimeMs: number): number {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.openTimeMs ?? Infinity) < openTimeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * One closed bar. Its figures are floating point because they are only analysed, never used as amounts of money.
 *
 * A closed bar is final: an evaluator never receives another bar for the same time.
 */
export interface Bar extends CandleFigures {
  /** Unix milliseconds. */
  readonly openTimeMs: number;
  /** Open time of the next bar, Unix milliseconds. */
  readonly closeTimeMs: number;
  /**
   * Bars of other assets by their symbol, each the one that closed when this bar opened: what was known then, even where
   * another source is late. Absent where no condition reads one.
   */
  readonly beside?: Readonly<Record<string, Bar>> | undefined;
}

/** Bars as columns of equal length, which move between threads without being copied one by one. */
export interface BarColumns {
  readonly openTimeMs: Float64Array<ArrayBuffer>;
  readonly closeTimeMs: Float64Array<ArrayBuffer>;
  readonly open: Float64Array<ArrayBuffer>;
  readonly high: Float64Array<ArrayBuffer>;
  readonly low: Float64Array<ArrayBuffer>;
  readonly close: Float64Array<ArrayBuffer>;
  readonly volume: Float64Array<ArrayBuffer>;
  /** Bars of other assets, with NaN where one is missing beside a bar. */
  readonly beside?: Readonly<Record<string, BarColumns>> | undefined;
}

const FIELDS = ["openTimeMs", "closeTimeMs", "open", "high", "low", "close", "volume"] as const;

type Field = (typeof FIELDS)[number];

/** Returns the columns of a number of bars; `barAt` returns undefined for a missing one. */
function columnsOf(length: number, barAt: (index: number) => Bar | undefined): BarColumns {
  const column = (field: Field) =>
    Float64Array.from({ length }, (_, index) => barAt(index)?.[field] ?? Number.NaN);
  return Object.fromEntries(FIELDS.map((field) => [field, column(field)])) as unknown as BarColumns;
}

export function toColumns(bars: readonly Bar[]): BarColumns {
  const columns = columnsOf(bars.length, (index) => bars[index]);
  const assets = [...new Set(bars.flatMap(({ beside }) => Object.keys(beside ?? {})))];
  if (assets.length === 0) return columns;
  const beside = assets.map((asset) => [
    asset,
    columnsOf(bars.length, (index) => bars[index]?.beside?.[asset]),
  ]);
  return { ...columns, beside: Object.fromEntries(beside) };
}

export function barsOf({ beside, ...columns }: BarColumns): readonly Bar[] {
  const at = (field: Field, index: number) => columns[field][index] ?? 0;
  const bars = Array.from(columns.openTimeMs, (openTimeMs, index) => ({
    openTimeMs,
    closeTimeMs: at("closeTimeMs", index),
    open: at("open", index),
    high: at("high", index),
    low: at("low", index),
    close: at("close", index),
    volume: at("volume", index),
  }));
  if (beside === undefined) return bars;
  const others = Object.entries(beside).map(
    ([asset, theirs]) =>
      [asset, barsOf(theirs).filter(({ openTimeMs }) => !Number.isNaN(openTimeMs))] as const,
  );
  return withBeside(bars, new Map(others));
}
