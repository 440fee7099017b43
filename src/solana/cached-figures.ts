import type { Clock } from "../domain/clock.ts";
import { ChainUnavailableError } from "./chain.ts";
import { handling, type Link } from "./chain-links.ts";

/** Rent changes a few times a year, by decision of the network. */
const RENT_CACHED_MS = 3_600_000;

/** Slot duration changes with releases, and for minutes during network trouble. */
const SLOT_CACHED_MS = 300_000;

/** Caches answers for a time; while no node answers, the last answer stays valid. */
function cacheAnswers<K, T>(clock: Clock, cachedMs: number) {
  const cached = new Map<K, { readonly readAtMs: number; readonly value: T }>();
  return async (key: K, ask: () => Promise<T>): Promise<T> => {
    const known = cached.get(key);
    if (known !== undefined && clock.now() - known.readAtMs < cachedMs) return known.value;
    try {
      const value = await ask();
      cached.set(key, { readAtMs: clock.now(), value });
      return value;
    } catch (error) {
      if (known === undefined || !(error instanceof ChainUnavailableError)) throw error;
      return known.value;
    }
  };
}

/** Returns a link that caches the figures that change slowly: rent and slot duration. */
export function cachedFigures(clock: Clock): Link {
  const rent = cacheAnswers<number, bigint>(clock, RENT_CACHED_MS);
  const slot = cacheAnswers<"slot", number>(clock, SLOT_CACHED_MS);
  return handling({
    minimumBalance: (call, next) => rent(call.input[0], () => next(call)),
    slotDurationMs: (call, next) => slot("slot", () => next(call)),
  });
}
