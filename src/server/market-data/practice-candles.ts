import type { Clock } from "../../domain/clock.ts";
import type { PriceSource } from "../../practice/price-source.ts";
import {
  type Candle,
  type CandleSource,
  CandleSourceError,
  INTERVAL_SECONDS,
} from "./candle-source.ts";

/** Prices looked at per candle, its two ends included. */
const SAMPLES = 9;

/** Quote units of a price per whole quote token. */
const PRICE_UNITS = 1_000_000;

/** Makes candles of the practice market's own prices, so that chart and oracle agree. They carry no volume. */
export function createPracticeCandles(prices: PriceSource, clock: Clock): CandleSource {
  // Chart figures only; money never takes this path
  const priceAt = (asset: string, atMs: number): number | undefined => {
    const quoted = prices.quote(asset, atMs);
    return quoted === undefined ? undefined : Number(quoted.price) / PRICE_UNITS;
  };

  const candleOf = (asset: string, startMs: number, endMs: number): Candle | null => {
    const samples: number[] = [];
    for (let at = 0; at < SAMPLES; at += 1) {
      const price = priceAt(asset, startMs + Math.floor(((endMs - startMs) * at) / (SAMPLES - 1)));
      if (price === undefined) return null;
      samples.push(price);
    }
    const [open = 0] = samples;
    return {
      time: Math.floor(startMs / 1000),
      open,
      high: Math.max(...samples),
      low: Math.min(...samples),
      close: samples.at(-1) ?? open,
      volume: 0,
    };
  };

  return {
    name: prices.label,
    async candles({ symbol, interval, limit }) {
      const asset = symbol.replace(/(?:USDT|USDC|USD)$/, "");
      const now = clock.now();
      if (priceAt(asset, now) === undefined) {
        throw new CandleSourceError(
          "symbol_unknown",
          `The practice market does not trade ${symbol}`,
        );
      }
      const lengthMs = INTERVAL_SECONDS[interval] * 1000;
      const newestStartMs = now - (now % lengthMs);
      return Array.from({ length: limit }, (_, at) => {
        const startMs = newestStartMs - (limit - 1 - at) * lengthMs;
        return candleOf(asset, startMs, Math.min(startMs + lengthMs, now));
      }).filter((candle) => candle !== null);
    },
  };
}
