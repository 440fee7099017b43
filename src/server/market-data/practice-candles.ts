import { closeTimeOf, lastOpenTimes } from "../../domain/candle-interval.ts";
import type { Clock } from "../../domain/clock.ts";
import { allMarkets } from "../../venues/profiles.ts";
import type { PracticeCandle, PracticeMarket } from "../../practice/practice-market.ts";
import {
  type Candle,
  type CandleQuery,
  type CandleSource,
  CandleSourceError,
} from "./candle-source.ts";

/** Price units per whole quote token. */
const PRICE_UNITS = 1_000_000;

/** Cached closed candles per asset and interval: the maximum of one query. */
const KEPT = 1_000;

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

  const list = ({ symbol, interval, limit }: CandleQuery): readonly PracticeCandle[] => {
    const asset = practiceAssetOf(symbol);
    const key = `${asset} ${interval}`;
    const now = clock.now();
    const kept = closed.get(key) ?? new Map<number, PracticeCandle>();
    const candles = lastOpenTimes(interval, now, limit).flatMap((openTimeMs) => {
      const closeTimeMs = closeTimeOf(interval, openTimeMs);
      return kept.get(openTimeMs) ?? market.candle(asset, { openTimeMs, closeTimeMs }, now) ?? [];
    });
    if (candles.length === 0) return [];
    const fresh = candles.slice(0, -1).map((candle) => [candle.openTimeMs, candle] as const);
    const all = [...new Map([...kept, ...fresh])].toSorted(([one], [other]) => one - other);
    closed.set(key, new Map(all.slice(-KEPT)));
    return candles;
  };

  return {
    name: market.label,
    async candles(query) {
      const candles = list(query);
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
