import type { UTCTimestamp } from "lightweight-charts";
import type { Candle } from "./candle.ts";

interface Point {
  readonly time: number;
  readonly value: number;
}

interface VolumePoint extends Point {
  readonly color: string;
}

/** Returns the points as the library types them: it uses a branded type for seconds. */
export const stamped = <T extends { readonly time: number }>(points: readonly T[]) =>
  points as unknown as (Omit<T, "time"> & { time: UTCTimestamp })[];

export const toLine = (candles: readonly Candle[]): Point[] =>
  candles.map(({ time, close }) => ({ time, value: close }));

export const toBars = (candles: readonly Candle[]) =>
  candles.map(({ time, open, high, low, close }) => ({ time, open, high, low, close }));

/** Converts candles to volume columns in the colour of their direction. */
export const toVolume = (
  candles: readonly Candle[],
  colours: { readonly up: string; readonly down: string },
): VolumePoint[] =>
  candles.map(({ time, open, close, volume }) => ({
    time,
    value: volume,
    color: close >= open ? colours.up : colours.down,
  }));

/**
 * Returns the candles to append to those drawn; null when the new candles do not continue them and everything is
 * redrawn. Only the last drawn candle may have changed.
 */
export function continuation(
  drawn: readonly Candle[],
  next: readonly Candle[],
): readonly Candle[] | null {
  const last = drawn.at(-1);
  if (last === undefined) return null;
  const from = next.findIndex(({ time }) => time === last.time);
  if (from === -1) return null;
  const before = drawn.slice(0, -1);
  const isSame = next.slice(0, from).every((candle, index) => {
    const old = before[before.length - from + index];
    return (
      old?.time === candle.time &&
      old.open === candle.open &&
      old.high === candle.high &&
      old.low === candle.low &&
      old.close === candle.close &&
      old.volume === candle.volume
    );
  });
  return isSame ? next.slice(from) : null;
}
