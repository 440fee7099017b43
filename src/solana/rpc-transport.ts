import { createDefaultRpcTransport, isSolanaError, type RpcTransport } from "@solana/kit";
import { ChainUnavailableError } from "./chain.ts";

type Signal = NonNullable<Parameters<RpcTransport>[0]["signal"]>;

/** What the transport needs of its surroundings. */
export interface RpcSurroundings {
  /** Runs the work and aborts its signal when the time is over; rejects then. */
  withTimeout<T>(timeoutMs: number, work: (signal: Signal) => Promise<T>): Promise<T>;
  sleep(ms: number): Promise<void>;
}

/** Longest a node may take for one answer. */
const ANSWER_TIMEOUT_MS = 5_000;

/** How often the whole list of nodes is asked before the chain counts as unavailable. */
const ROUNDS = 2;

/**
 * Sending is tried once: a node that took the bytes and lost its answer would make the next one refuse them, and that
 * refusal would look as if nothing had landed.
 */
const isSend = (payload: unknown): boolean =>
  (payload as { readonly method?: unknown }).method === "sendTransaction";

/** Errors of a node that is not where the others are: behind the asked slot, and behind its cluster. */
const BEHIND: ReadonlySet<string> = new Set(["-32016", "-32005"]);

const isBehind = (answer: unknown): boolean =>
  BEHIND.has(String((answer as { readonly error?: { readonly code?: unknown } }).error?.code));

/** Wait before the list is tried again. */
const ROUND_PAUSE_MS = 250;

/**
 * Returns a transport that asks the nodes in order and moves on when one times out, is limited, broken or behind.
 *
 * The node that answered last is asked first. Throws `ChainUnavailableError` without any node's address, since
 * addresses carry keys.
 */
export function createFailoverTransport(
  urls: readonly string[],
  surroundings: RpcSurroundings,
): RpcTransport {
  const nodes = urls.map((url) => createDefaultRpcTransport({ url }));
  let preferred = 0;
  return async function transport(request) {
    let cause: unknown;
    const attempts = isSend(request.payload) ? 1 : nodes.length * ROUNDS;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0 && attempt % nodes.length === 0) await surroundings.sleep(ROUND_PAUSE_MS);
      const node = nodes[preferred];
      if (node === undefined) break;
      try {
        const answer = await surroundings.withTimeout(ANSWER_TIMEOUT_MS, (signal) =>
          node({ payload: request.payload, signal }),
        );
        if (!isBehind(answer)) return answer as never;
        cause = undefined;
      } catch (error) {
        cause = error;
      }
      preferred = (preferred + 1) % nodes.length;
    }
    throw new ChainUnavailableError(
      `No node answered${isSolanaError(cause) ? ` (${cause.context.__code})` : ""}.`,
    );
  };
}
