import { setImmediate } from "node:timers/promises";
import { closeTimeOf, lastOpenTimes } from "../../domain/candle-interval.ts";
import type { Clock } from "../../domain/clock.ts";
import { allMarkets } from "../../venues/profiles.ts";
import type { PracticeCandle, PracticeMarket } from "../../practice/practice-market.ts";
import {
  type Candle,
  type CandleQuery,
  type CandleSource,
  CandleSourceError,
} from "./candle-history.ts";

/** Price units per whole quote token. */
const PRICE_UNITS = 1_000_000;

/** Cached closed candles per asset and interval: the maximum of one query. */
const KEPT = 1_000;

/** Time after which computing candles lets the event loop turn, in milliseconds. */
const TURN_MS = 10;

/** Returns a symbol's asset. Symbols are upper case but stock tokens are not: AAPLXUSDT is AAPLx. */
export function practiceAssetOf(symbol: string): string {
  const name = symbol.replace(/(?:USDT|USDC|USD)$/, "");
  return allMarkets().find(({ asset }) => asset.toUpperCase() === name)?.asset ?? name;
}

/** Creates the candles of the practice market. Closed ones never change and are computed once. */
export function createPracticeCandles(
  market: Pick<PracticeMarket, "label" | "candle">,
  clock: Clock,
): CandleSource {
  const closed = new Map<string, ReadonlyMap<number, PracticeCandle>>();

  const list = async (query: CandleQuery): Promise<readonly PracticeCandle[]> => {
    const { symbol, interval, limit } = query;
    const asset = practiceAssetOf(symbol);
    const key = `${asset} ${interval}`;
    const now = clock.now();
    const kept = closed.get(key) ?? new Map<number, PracticeCandle>();
    const candles: PracticeCandle[] = [];
    let turnMs = performance.now();
    for (const openTimeMs of lastOpenTimes(interval, now, limit)) {
      const closeTimeMs = closeTimeOf(interval, openTimeMs);
      const candle = kept.get(openTimeMs) ?? market.candle(asset, { openTimeMs, closeTimeMs }, now);
      if (candle !== undefined) candles.push(candle);
      if (performance.now() - turnMs < TURN_MS) continue;
      await setImmediate();
      turnMs = performance.now();
    }
    if (candles.length === 0) return [];
    const fresh = candles.slice(0, -1).map((candle) => [candle.openTimeMs, candle] as const);
    const all = [...new Map([...kept, ...fresh])].toSorted(([one], [other]) => one - other);
    closed.set(key, new Map(all.slice(-KEPT)));
    return candles;
  };

  return {
    name: market.label,
    async candles(query) {
      const candles = await list(query);
      if (candles.length > 0) return candles.map(toCandle);
      throw new CandleSourceError(
        "symbol_unknown",
        `The practice market does not trade ${query.symbol}`,
      );
    },
  };
}

/** Returns a practice candle as numbers for charts and conditions, never for amounts of money. */
export function toCandle(candle: PracticeCandle): Candle {
  return {
    time: Math.floor(candle.openTimeMs / 1000),
    open: Number(candle.open) / PRICE_UNITS,
    high: Number(candle.high) / PRICE_UNITS,
    low: Number(candle.low) / PRICE_UNITS,
    close: Number(candle.close) / PRICE_UNITS,
    volume: Number(candle.volume),
  };
}
