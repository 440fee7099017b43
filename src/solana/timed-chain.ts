import { type Chain, ChainUnavailableError } from "./chain.ts";
import { mapCalls } from "./map-calls.ts";

/**
 * Returns a chain whose calls count as unanswered after a time, in milliseconds: nodes that hang are otherwise asked
 * one after the other, and twice.
 */
export function createTimedChain(
  chain: Chain,
  limitMs: number,
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>,
): Chain {
  return mapCalls(chain, (call) => async (...input) => {
    const done = new AbortController();
    const late = sleep(limitMs, done.signal).then(() => {
      throw new ChainUnavailableError(`No node of ${chain.network} answered in time.`);
    });
    // Whoever was answered in time does not look at this
    late.catch(() => {});
    try {
      return await Promise.race([call(...input), late]);
    } finally {
      done.abort();
    }
  });
}
