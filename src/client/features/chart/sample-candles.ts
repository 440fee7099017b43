import type { Candle } from "./candle.ts";

interface SampleShape {
  /** Between 0 and 1, 1 left out. */
  readonly random: () => number;
  readonly candleSeconds: number;
  readonly limit: number;
  /** Unix seconds the last candle has to hold. */
  readonly endTime: number;
}

const FIRST_PRICE = 100;

/** Makes up candles to show what the chart would look like. They are no prices and must never leave the chart. */
export function createSampleCandles(shape: SampleShape): readonly Candle[] {
  const { random, candleSeconds, limit, endTime } = shape;
  const lastTime = endTime - (endTime % candleSeconds);
  let close = FIRST_PRICE;
  return Array.from({ length: limit }, (_, index) => {
    const open = close;
    close = open * (1 + (random() - 0.5) * 0.04);
    const spread = open * 0.012;
    return {
      time: lastTime - (limit - 1 - index) * candleSeconds,
      open,
      high: Math.max(open, close) + random() * spread,
      low: Math.min(open, close) - random() * spread,
      close,
      volume: Math.round(random() * 1000),
    };
  });
}
