import type { Clock } from "../../domain/clock.ts";
import { MARKETS } from "../../domain/market.ts";
import type { PracticeCandle, PracticeMarket } from "../../practice/practice-market.ts";
import {
  type Candle,
  type CandleQuery,
  type CandleSource,
  CandleSourceError,
  INTERVAL_SECONDS,
} from "./candle-source.ts";

/** Quote units of a price per whole quote token. */
const PRICE_UNITS = 1_000_000;

/** How many candles are computed when some are missing: few sizes, so that odd limits do not cost anew. */
const BATCHES = [100, 400, 1_000];

// Symbols are upper case, tokens of stocks are not: AAPLXUSDT is of AAPLx
function assetOf(symbol: string): string {
  const name = symbol.replace(/(?:USDT|USDC|USD)$/, "");
  return MARKETS.find(({ asset }) => asset.toUpperCase() === name)?.asset ?? name;
}

/** Makes candles of the practice market. Closed ones never change and are computed once. */
export function createPracticeCandles(
  market: Pick<PracticeMarket, "label" | "candles">,
  clock: Clock,
): CandleSource {
  const closed = new Map<string, readonly PracticeCandle[]>();

  const list = ({ symbol, interval, limit }: CandleQuery): readonly PracticeCandle[] => {
    const asset = assetOf(symbol);
    const lengthMs = INTERVAL_SECONDS[interval] * 1000;
    const now = clock.now();
    const openTimeMs = now - (now % lengthMs);
    const batch = BATCHES.find((size) => size >= limit) ?? limit;
    const kept = closed.get(`${asset} ${interval}`) ?? [];
    const newest = kept.at(-1)?.openTimeMs ?? 0;
    const missing = (openTimeMs - newest) / lengthMs;
    // Too few, or so old that a gap would remain: all anew
    const known = kept.length < limit - 1 || missing > batch ? [] : kept;
    const fresh = market.candles(
      asset,
      lengthMs,
      now,
      known.length === 0 ? batch : Math.max(1, missing),
    );
    const from = fresh[0]?.openTimeMs ?? 0;
    const all = [...known.filter((candle) => candle.openTimeMs < from), ...fresh];
    if (fresh.length > 0) closed.set(`${asset} ${interval}`, all.slice(-1_001, -1));
    return all.slice(-limit);
  };

  return {
    name: market.label,
    async candles(query) {
      const candles = list(query);
      if (candles.length > 0) return candles.map(toFigures);
      throw new CandleSourceError(
        "symbol_unknown",
        `The practice market does not trade ${query.symbol}`,
      );
    },
  };
}

// Chart figures only; money never takes this path
function toFigures(candle: PracticeCandle): Candle {
  return {
    time: Math.floor(candle.openTimeMs / 1000),
    open: Number(candle.open) / PRICE_UNITS,
    high: Number(candle.high) / PRICE_UNITS,
    low: Number(candle.low) / PRICE_UNITS,
    close: Number(candle.close) / PRICE_UNITS,
    volume: Number(candle.volume),
  };
}
