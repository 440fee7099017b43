import { allMarkets, symbolOf } from "../../venues/profiles.ts";
import { type ChangedBar, readSeries, type SeriesDeps, compareBars } from "./bar-series.ts";
import {
  baseOf,
  type CandleHistory,
  type Contradiction,
  firstOpenAt,
  type HistoryAnswer,
  type HistoryQuery,
  lastCloseAt,
  CandleSourceError,
} from "./candle-history.ts";
import type { HistorySource } from "./exchange-history.ts";

/** Time a failed source is skipped while another one answers, in milliseconds. */
const REST_MS = 30_000;

/** Time a source is not queried again for a market it does not know, in milliseconds. */
const UNKNOWN_MS = 3_600_000;

/** Maximum number of stored bars per source, counted back from now: two years of one-minute bars. */
const MAX_BASE_BARS = 1_100_000;

/** Number of last bars of an answer compared with the other source. */
const COMPARED_BARS = 500;

const MINUTE_MS = 60_000;

const SYMBOLS = new Set(allMarkets().map(({ asset }) => symbolOf(asset)));

export interface StoredHistoryDeps extends SeriesDeps {
  /** Sources in order of preference. */
  readonly sources: readonly HistorySource[];
}

/**
 * Creates the history of real markets: from the first source that answers, stored in the database, and compared with
 * the other source. An answer never mixes two sources.
 */
export function createStoredHistory(given: StoredHistoryDeps): CandleHistory {
  const deps = { ...given, doubts: new Map<string, readonly ChangedBar[]>() };
  const { clock, sources } = deps;
  const passedOverUntilMs = new Map<string, number>();
  const isPassedOver = ({ name }: HistorySource, symbol: string): boolean =>
    [name, `${name} ${symbol}`].some((key) => (passedOverUntilMs.get(key) ?? 0) > clock.now());

  function passOver({ name }: HistorySource, symbol: string, error: CandleSourceError): void {
    if (error.kind === "symbol_unknown") {
      passedOverUntilMs.set(`${name} ${symbol}`, clock.now() + UNKNOWN_MS);
    } else {
      passedOverUntilMs.set(name, clock.now() + REST_MS);
    }
  }

  async function contradictionsOf(
    answer: HistoryAnswer,
    query: HistoryQuery,
  ): Promise<readonly Contradiction[]> {
    if (answer.bars.at(-1)?.closeTimeMs !== query.toMs) return [];
    const other = sources.find(
      (source) => source.name !== answer.source && !isPassedOver(source, query.symbol),
    );
    if (other === undefined) return [];
    const comparedMs = COMPARED_BARS * query.intervalMinutes * MINUTE_MS;
    const fromMs = firstOpenAt(
      query.intervalMinutes,
      Math.max(query.fromMs, query.toMs - comparedMs),
    );
    try {
      return compareBars(answer, await readSeries(deps, other, { ...query, fromMs }));
    } catch (error) {
      if (!(error instanceof CandleSourceError)) throw error;
      passOver(other, query.symbol, error);
      return [];
    }
  }

  return {
    async bars(asked) {
      const query = boundedQuery(asked, clock.now());
      if (!SYMBOLS.has(query.symbol)) {
        throw new CandleSourceError("symbol_unknown", `No agent can trade ${query.symbol}`);
      }
      const inOrder = [
        ...sources.filter((source) => !isPassedOver(source, query.symbol)),
        ...sources.filter((source) => isPassedOver(source, query.symbol)),
      ];
      let worst: CandleSourceError | null = null;
      for (const source of inOrder) {
        try {
          const answer = await readSeries(deps, source, query);
          passedOverUntilMs.delete(source.name);
          const between = await contradictionsOf(answer, query);
          return { ...answer, contradictions: [...answer.contradictions, ...between] };
        } catch (error) {
          if (!(error instanceof CandleSourceError)) throw error;
          passOver(source, query.symbol, error);
          if (worst?.kind !== "unavailable") worst = error;
        }
      }
      throw worst ?? new CandleSourceError("unavailable", "No candle source is configured");
    },
  };
}

/** Returns the query limited to complete, closed bars within the stored period. */
function boundedQuery(query: HistoryQuery, nowMs: number): HistoryQuery {
  const { intervalMinutes } = query;
  const keptMs = MAX_BASE_BARS * baseOf(intervalMinutes) * MINUTE_MS;
  const fromMs = firstOpenAt(intervalMinutes, Math.max(query.fromMs, nowMs - keptMs));
  const toMs = lastCloseAt(intervalMinutes, Math.min(query.toMs, nowMs));
  return { ...query, fromMs, toMs: Math.max(fromMs, toMs) };
}
