import type { ResponseOf } from "../../../contract/route.ts";
import type { listCandles } from "../../../contract/candles.ts";

/** Time in Unix seconds; prices are for drawing only and never reach an order. */
export type Candle = ResponseOf<typeof listCandles>["candles"][number];

/** Returns candles oldest first with every time once; of two with the same time the later one wins. */
export function inOrder(candles: readonly Candle[]): readonly Candle[] {
  const isOrdered = candles.every(
    ({ time }, index) => index === 0 || time > (candles[index - 1]?.time ?? Infinity),
  );
  if (isOrdered) return candles;
  const byTime = new Map(candles.map((candle) => [candle.time, candle]));
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

/** Index of the last item not later than a time, -1 when all are. */
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

/** The candle that opened at exactly that time. */
export function candleAt(candles: readonly Candle[], time: number): Candle | undefined {
  const candle = candles[indexAt(candles, time)];
  return candle?.time === time ? candle : undefined;
}
