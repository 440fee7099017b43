import { describe, expect, it } from "vitest";
import { allMarkets } from "../venues/profiles.ts";
import { createPracticeMarket, type PracticeCandle } from "./practice-market.ts";

const NOW_MS = 1_764_000_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the span `ago` lengths before the present one. */
function spanAt(lengthMs: number, ago: number) {
  const openTimeMs = (Math.floor(NOW_MS / lengthMs) - ago) * lengthMs;
  return { openTimeMs, closeTimeMs: openTimeMs + lengthMs };
}

describe("practice market", () => {
  it("prices every asset of a market, and a few for the chart", () => {
    const market = createPracticeMarket();
    for (const asset of [...allMarkets().map((known) => known.asset), "ADA", "DOT", "AVAX"]) {
      expect(market.priceAt(asset, NOW_MS), asset).toBeGreaterThan(0n);
    }
    expect(market.priceAt("NOPE", NOW_MS)).toBeUndefined();
    expect(market.quote("NOPE", NOW_MS)).toBeUndefined();
    expect(market.candle("NOPE", spanAt(HOUR_MS, 0), NOW_MS)).toBeUndefined();
  });

  it("is the same in every process and differs between seeds and assets", () => {
    const one = createPracticeMarket(7);
    const two = createPracticeMarket(7);
    const other = createPracticeMarket(8);
    const times = Array.from({ length: 50 }, (_, index) => NOW_MS + index * 61_000);
    expect(times.map((time) => one.priceAt("SOL", time))).toEqual(
      times.map((time) => two.priceAt("SOL", time)),
    );
    expect(one.priceAt("SOL", NOW_MS)).not.toBe(other.priceAt("SOL", NOW_MS));
  });

  it("moves every few seconds, smoothly, and by a realistic amount a day", () => {
    const market = createPracticeMarket();
    const at = (time: number) => market.priceAt("SOL", time) ?? 0n;
    const moved = Array.from({ length: 300 }, (_, second) => {
      const step = at(NOW_MS + (second + 1) * 1_000) - at(NOW_MS + second * 1_000);
      return step < 0n ? -step : step;
    });
    const largest = moved.reduce((most, step) => (step > most ? step : most));
    expect(moved.filter((step) => step > 0n).length).toBeGreaterThan(200);
    expect(largest * 1_000n).toBeLessThan(at(NOW_MS));

    const swings = Array.from({ length: 60 }, (_, day) => {
      const candle = market.candle("SOL", spanAt(DAY_MS, day), NOW_MS);
      return candle === undefined ? 0n : ((candle.high - candle.low) * 10_000n) / candle.open;
    });
    const mean = swings.reduce((sum, swing) => sum + swing, 0n) / 60n;
    expect(mean).toBeGreaterThan(100n);
    expect(mean).toBeLessThan(1_500n);
  });

  it("draws candles from the same prices", () => {
    const market = createPracticeMarket();
    const candles = Array.from({ length: 200 }, (_, ago) => spanAt(HOUR_MS, ago))
      .toReversed()
      .flatMap((span) => market.candle("BTC", span, NOW_MS) ?? []);
    expect(candles).toHaveLength(200);
    expect(candles.at(-1)?.close).toBe(market.priceAt("BTC", NOW_MS));
    for (const [index, candle] of candles.entries()) {
      const next = candles[index + 1];
      expect(candle.open).toBe(market.priceAt("BTC", candle.openTimeMs));
      expect(candle.low <= candle.open && candle.open <= candle.high).toBe(true);
      expect(candle.low <= candle.close && candle.close <= candle.high).toBe(true);
      if (next !== undefined) {
        expect(next.openTimeMs - candle.openTimeMs).toBe(HOUR_MS);
        expect(next.open).toBe(candle.close);
        expect(candle.volume).toBeGreaterThan(0n);
      }
    }
  });

  it.each([5, 60, 90, 1_440])("builds candles of %i minutes from their minutes", (minutes) => {
    const market = createPracticeMarket();
    const lengthMs = minutes * 60_000;
    // The newest one is still open
    for (let ago = 0; ago < (minutes > 100 ? 3 : 60); ago += 1) {
      const span = spanAt(lengthMs, ago);
      const parts = Array.from({ length: minutes }, (_, at) => {
        const openTimeMs = span.openTimeMs + at * 60_000;
        return { openTimeMs, closeTimeMs: openTimeMs + 60_000 };
      })
        .filter(({ openTimeMs }) => openTimeMs <= NOW_MS)
        .map((each) => market.candle("SOL", each, NOW_MS) as PracticeCandle);
      const highs = parts.map(({ high }) => high);
      const lows = parts.map(({ low }) => low);
      expect(market.candle("SOL", span, NOW_MS)).toEqual({
        openTimeMs: span.openTimeMs,
        open: parts[0]?.open,
        high: highs.reduce((most, each) => (each > most ? each : most)),
        low: lows.reduce((least, each) => (each < least ? each : least)),
        close: parts.at(-1)?.close,
        volume: parts.reduce((sum, { volume }) => sum + volume, 0n),
      });
    }
  });

  it("holds a fixed price until it is released", () => {
    const market = createPracticeMarket();
    const before = market.priceAt("SOL", NOW_MS);
    market.setPrice("SOL", 155_000_000n);
    expect(market.quote("SOL", NOW_MS)?.price).toBe(155_000_000n);
    market.setPrice("SOL", undefined);
    expect(market.priceAt("SOL", NOW_MS)).toBe(before);
  });
});
