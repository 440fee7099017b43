import type { Network } from "../domain/network.ts";
import { ChainUnavailableError } from "./chain.ts";
import type { Link } from "./chain-links.ts";
import type { CallClass } from "./request-budget.ts";

/**
 * Returns a link after whose time limit, in milliseconds by class, a call counts as unanswered: nodes that hang are
 * otherwise asked one after the other, and twice. Classes without a limit wait.
 */
export function timeLimit(
  network: Network,
  limitsMs: Partial<Readonly<Record<CallClass, number>>>,
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>,
): Link {
  return (next) => async (call) => {
    const limitMs = limitsMs[call.class];
    if (limitMs === undefined) return next(call);
    const done = new AbortController();
    const late = sleep(limitMs, done.signal).then(() => {
      throw new ChainUnavailableError(`No node of ${network} answered in time.`);
    });
    // Rejects unobserved when the answer came in time
    late.catch(() => {});
    try {
      return await Promise.race([next(call), late]);
    } finally {
      done.abort();
    }
  };
}
