import type { Clock } from "../../domain/clock.ts";
import {
  type Candle,
  type CandleQuery,
  type CandleSource,
  CandleSourceError,
} from "./candle-history.ts";

export interface CandleAnswer {
  readonly source: string;
  readonly candles: readonly Candle[];
}

/** Candles from the first source that answers. Throws `CandleSourceError` when none does. */
export interface Candles {
  list(query: CandleQuery): Promise<CandleAnswer>;
}

/** Lifetime of a cached answer in milliseconds; the chart requests every 30 s. */
const FRESH_MS = 10_000;

/** Time a failed source is skipped while another one answers, in milliseconds. */
const REST_MS = 30_000;

const MAX_KEPT = 200;

interface CachedAnswer {
  readonly askedAtMs: number;
  readonly answer: Promise<CandleAnswer>;
}

/**
 * Creates the candles of a deployment: sources in order of preference, one request at a time per query, a short cache.
 */
export function createCandles(options: {
  readonly sources: readonly CandleSource[];
  readonly clock: Clock;
}): Candles {
  const { sources, clock } = options;
  const kept = new Map<string, CachedAnswer>();
  const restsUntilMs = new Map<string, number>();

  const ask = async (query: CandleQuery): Promise<CandleAnswer> => {
    const isResting = (source: CandleSource): boolean =>
      (restsUntilMs.get(source.name) ?? 0) > clock.now();
    const inOrder = [
      ...sources.filter((source) => !isResting(source)),
      ...sources.filter((source) => isResting(source)),
    ];
    let last = new CandleSourceError("unavailable", "No candle source is configured");
    for (const source of inOrder) {
      try {
        const candles = await source.candles(query);
        restsUntilMs.delete(source.name);
        return { source: source.name, candles };
      } catch (error) {
        if (!(error instanceof CandleSourceError)) throw error;
        if (error.kind === "unavailable") restsUntilMs.set(source.name, clock.now() + REST_MS);
        last = error;
      }
    }
    throw last;
  };

  return {
    list(query) {
      const key = `${query.symbol} ${query.interval} ${query.limit}`;
      const known = kept.get(key);
      if (known !== undefined && clock.now() - known.askedAtMs < FRESH_MS) return known.answer;
      const answer = ask(query);
      kept.delete(key);
      kept.set(key, { askedAtMs: clock.now(), answer });
      // Failures are not cached
      answer.catch(() => {
        if (kept.get(key)?.answer === answer) kept.delete(key);
      });
      const oldest = kept.keys().next();
      if (kept.size > MAX_KEPT && oldest.done === false) kept.delete(oldest.value);
      return answer;
    },
  };
}
