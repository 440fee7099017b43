import type { Clock } from "../domain/clock.ts";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import { wrapChain } from "./wrap-chain.ts";

/** Rent changes a few times a year, by decision of the network. */
const RENT_KEPT_MS = 3_600_000;

/** Slot duration changes with releases, and for minutes during network trouble. */
const SLOT_KEPT_MS = 300_000;

interface Kept<T> {
  readonly readAtMs: number;
  readonly value: T;
}

/** Caches answers for a time; while no node answers, the last answer stays valid. */
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

/** Returns a wrapper that makes all views of one chain share cached slow-moving figures, rent and slot duration. */
export function createSteadyFigures(clock: Clock): (chain: Chain) => Chain {
  const rent = keepAnswers<number, bigint>(clock, RENT_KEPT_MS);
  const slot = keepAnswers<"slot", number>(clock, SLOT_KEPT_MS);
  return (chain) =>
    wrapChain(chain, (inner) => ({
      minimumBalance: (size) => rent(size, () => inner.minimumBalance(size)),
      slotDurationMs: () => slot("slot", () => inner.slotDurationMs()),
    }));
}
