import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import type { PracticeMarket } from "../../practice/practice-market.ts";
import { barSpanAt, type Bar } from "../../strategy/bar-times.ts";
import { type CandleHistory, firstOpenAt, CandleSourceError } from "./candle-history.ts";
import { practiceAssetOf, toCandle } from "./practice-candles.ts";

/** Time after which computing bars lets the event loop turn, in milliseconds. */
const TURN_MS = 10;

/**
 * Creates the history of the practice market. Its bars are the chart's candles; every server computes the same ones, so
 * nothing is stored and nothing is missing.
 */
export function createPracticeHistory(
  market: Pick<PracticeMarket, "label" | "candle">,
  clock: Clock,
): CandleHistory {
  return {
    async bars({ symbol, intervalMinutes, fromMs, toMs }) {
      const asset = practiceAssetOf(symbol);
      const nowMs = clock.now();
      const bars: Bar[] = [];
      let openTimeMs = firstOpenAt(intervalMinutes, fromMs);
      let turnMs = performance.now();
      for (;;) {
        const span = barSpanAt(intervalMinutes, openTimeMs);
        if (span.closeTimeMs > Math.min(toMs, nowMs)) break;
        const candle = market.candle(asset, span, nowMs);
        if (candle === undefined) {
          throw new CandleSourceError(
            "symbol_unknown",
            `The practice market does not trade ${symbol}`,
          );
        }
        const { open, high, low, close, volume } = toCandle(candle);
        bars.push({ ...span, open, high, low, close, volume });
        openTimeMs = span.closeTimeMs;
        if (performance.now() - turnMs < TURN_MS) continue;
        await setImmediate();
        turnMs = performance.now();
      }
      return { source: market.label, bars, gaps: [], contradictions: [] };
    },
  };
}
