import type { Candle } from "./candle.ts";

interface SampleShape {
  /** Returns a random number from 0 inclusive to 1 exclusive. */
  readonly random: () => number;
  readonly candleSeconds: number;
  readonly limit: number;
  /** Time that the last candle must contain, Unix seconds. */
  readonly endTime: number;
}

const FIRST_PRICE = 100;

/** Generates sample candles for an empty chart. They are not prices and must only be used for drawing. */
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
