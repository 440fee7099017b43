import type { ResponseOf } from "../../../contract/route.ts";
import type { listCandles } from "../../../contract/candles.ts";

/** Candle; time in Unix seconds. Prices are floats for drawing only and never used in an order. */
export type Candle = ResponseOf<typeof listCandles>["candles"][number];

/** Returns candles oldest first without duplicate times; the later of two duplicates wins. */
export function inOrder(candles: readonly Candle[]): readonly Candle[] {
  const isOrdered = candles.every(
    ({ time }, index) => index === 0 || time > (candles[index - 1]?.time ?? Infinity),
  );
  if (isOrdered) return candles;
  const byTime = new Map(candles.map((candle) => [candle.time, candle]));
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

/** Returns the index of the last item at or before a time; -1 when all are later. */
export function indexAt(items: readonly { readonly time: number }[], time: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.time ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the candle that opened exactly at a time. */
export function candleAt(candles: readonly Candle[], time: number): Candle | undefined {
  const candle = candles[indexAt(candles, time)];
  return candle?.time === time ? candle : undefined;
}
