import type { Clock } from "../domain/clock.ts";
import { ChainUnavailableError } from "./chain.ts";
import {
  type Answer,
  type Ask,
  type Call,
  handling,
  type Link,
  type Method,
} from "./chain-links.ts";

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

/** Age up to which an answer is shared, in milliseconds; a blockhash lives 150 times as long. */
const SHARED_MS = 400;

/**
 * Returns a link in front of one node that asks once what is the same for all who ask at that time: blockhash, progress
 * and recent prices.
 *
 * An answer is shared with calls of the same class, which wait equally long for it. A failure is not kept.
 */
export function sharedAnswers(clock: Clock): Link {
  const shared = new Map<string, { readonly askedAtMs: number; readonly answer: unknown }>();

  const once = async <M extends Method>(call: Call<M>, next: Ask): Promise<Answer<M>> => {
    const nowMs = clock.now();
    for (const [key, { askedAtMs }] of shared) {
      if (Math.abs(nowMs - askedAtMs) >= SHARED_MS) shared.delete(key);
    }
    const key = JSON.stringify([call.class, call.method, ...call.input]);
    const known = shared.get(key);
    if (known !== undefined) return known.answer as Promise<Answer<M>>;
    const answer = next(call);
    shared.set(key, { askedAtMs: nowMs, answer });
    answer.catch(() => shared.delete(key));
    return answer;
  };

  return handling({ latestBlockhash: once, progress: once, recentUnitPrices: once });
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
