import type { Bar } from "./bar.ts";

/** Bars as columns of equal length, which move between threads without being copied one by one. */
export interface BarColumns {
  readonly openTimeMs: Float64Array<ArrayBuffer>;
  readonly closeTimeMs: Float64Array<ArrayBuffer>;
  readonly open: Float64Array<ArrayBuffer>;
  readonly high: Float64Array<ArrayBuffer>;
  readonly low: Float64Array<ArrayBuffer>;
  readonly close: Float64Array<ArrayBuffer>;
  readonly volume: Float64Array<ArrayBuffer>;
}

const FIELDS = ["openTimeMs", "closeTimeMs", "open", "high", "low", "close", "volume"] as const;

export function toColumns(bars: readonly Bar[]): BarColumns {
  const column = (field: keyof Bar) => Float64Array.from(bars, (bar) => bar[field]);
  return Object.fromEntries(FIELDS.map((field) => [field, column(field)])) as unknown as BarColumns;
}

export function barsOf(columns: BarColumns): Bar[] {
  const at = (field: keyof Bar, index: number) => columns[field][index] ?? 0;
  return Array.from(columns.openTimeMs, (openTimeMs, index) => ({
    openTimeMs,
    closeTimeMs: at("closeTimeMs", index),
    open: at("open", index),
    high: at("high", index),
    low: at("low", index),
    close: at("close", index),
    volume: at("volume", index),
  }));
}
