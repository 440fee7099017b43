import type { Clock } from "../domain/clock.ts";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import { wrapChain } from "./wrap-chain.ts";

/** Rent moves a few times a year, by decision of the network. */
const RENT_KEPT_MS = 3_600_000;

/** Slots get faster with a release, and slower for minutes when the network is in trouble. */
const SLOT_KEPT_MS = 300_000;

interface Kept<T> {
  readonly readAtMs: number;
  readonly value: T;
}

/** Keeps what a question was answered for a while; when nobody answers, what was last heard goes on counting. */
function keepAnswers<K, T>(clock: Clock, keptMs: number) {
  const kept = new Map<K, Kept<T>>();
  return async (key: K, ask: () => Promise<T>): Promise<T> => {
    const known = kept.get(key);
    if (known !== undefined && clock.now() - known.readAtMs < keptMs) return known.value;
    try {
      const value = await ask();
      kept.set(key, { readAtMs: clock.now(), value });
      return value;
    } catch (error) {
      if (known === undefined || !(error instanceof ChainUnavailableError)) throw error;
      return known.value;
    }
  };
}

/**
 * Returns what makes views on one chain ask for its slowly moving figures, rent and the length of a slot, only now and
 * then: what one of them heard counts for all.
 */
export function createSteadyFigures(clock: Clock): (chain: Chain) => Chain {
  const rent = keepAnswers<number, bigint>(clock, RENT_KEPT_MS);
  const slot = keepAnswers<"slot", number>(clock, SLOT_KEPT_MS);
  return (chain) =>
    wrapChain(chain, (inner) => ({
      minimumBalance: (size) => rent(size, () => inner.minimumBalance(size)),
      slotDurationMs: () => slot("slot", () => inner.slotDurationMs()),
    }));
}
