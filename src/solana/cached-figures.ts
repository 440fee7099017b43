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

/** Caches answers for a time, asked for once; while no node answers, the last answer stays valid. */
function cacheAnswers<K, T>(clock: Clock, cachedMs: number) {
  const cached = new Map<K, { readonly readAtMs: number; readonly value: T }>();
  const asked = new Map<K, Promise<T>>();

  const read = async (key: K, ask: () => Promise<T>): Promise<T> => {
    try {
      const value = await ask();
      cached.set(key, { readAtMs: clock.now(), value });
      return value;
    } catch (error) {
      const known = cached.get(key);
      if (known === undefined || !(error instanceof ChainUnavailableError)) throw error;
      return known.value;
    } finally {
      asked.delete(key);
    }
  };

  return async (key: K, ask: () => Promise<T>): Promise<T> => {
    const known = cached.get(key);
    if (known !== undefined && clock.now() - known.readAtMs < cachedMs) return known.value;
    const answer = asked.get(key) ?? read(key, ask);
    asked.set(key, answer);
    return answer;
  };
}

/** Age up to which the network's progress is shared, in milliseconds, and all that exits ask for: a slot. */
const SHARED_MS = 400;

/**
 * Age up to which others share a blockhash and recent prices, in milliseconds: a blockhash lives a minute, prices are those
 * of as long a time.
 */
const LATEST_MS = 5_000;

/**
 * Time in which an entry's bytes that a node took are not sent to it again, in milliseconds: nodes are told not to retry, every
 * look at an order that is not confirmed yet sends again, and this is how often a node retries that does.
 */
const SENT_MS = 2_000;

/** How long the effects of a landed transaction are kept, in milliseconds: they do not change. */
const LANDED_MS = 10_000;

/** Shares the answers to equal calls of a class for a time. A failure is not kept, nor an answer that is null. */
function shareAnswers(clock: Clock, sharedMs: number) {
  const shared = new Map<string, { readonly askedAtMs: number; readonly answer: unknown }>();
  return async <M extends Method>(call: Call<M>, next: Ask): Promise<Answer<M>> => {
    const nowMs = clock.now();
    for (const [key, { askedAtMs }] of shared) {
      if (Math.abs(nowMs - askedAtMs) < sharedMs) break;
      shared.delete(key);
    }
    const key = JSON.stringify([call.class, call.method, ...call.input]);
    const known = shared.get(key);
    if (known !== undefined) return known.answer as Promise<Answer<M>>;
    const answer = next(call);
    shared.set(key, { askedAtMs: nowMs, answer });
    answer.then(
      (value) => value === null && shared.delete(key),
      () => shared.delete(key),
    );
    return answer;
  };
}

/**
 * Returns a link in front of one node that asks once what is the same for all who ask at that time: blockhash, progress
 * and recent prices. What a landed transaction did is kept for the lane that asks a moment after the look at its order, and
 * that the node took an entry's bytes, for those that would send them again.
 *
 * An answer is shared with calls of the same class, which wait equally long for it.
 */
export function sharedAnswers(clock: Clock): Link {
  const once = shareAnswers(clock, SHARED_MS);
  const latest = shareAnswers(clock, LATEST_MS);
  const landed = shareAnswers(clock, LANDED_MS);
  const sent = shareAnswers(clock, SENT_MS);
  const unlessExit = <M extends Method>(call: Call<M>, next: Ask) =>
    (call.class === "exit" ? once : latest)(call, next);
  return handling({
    latestBlockhash: unlessExit,
    progress: once,
    recentUnitPrices: unlessExit,
    send: (call, next) => (call.class === "entry" ? sent(call, next) : next(call)),
    transaction: (call, next) =>
      call.class === "exit" || call.class === "entry" ? landed(call, next) : next(call),
  });
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
