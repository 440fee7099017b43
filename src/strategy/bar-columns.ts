import type { Bar } from "./bar.ts";
import { withBeside } from "./bar-times.ts";

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
