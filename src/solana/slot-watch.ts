import { type Chain, ChainUnavailableError } from "./chain.ts";
import { wrapChain } from "./wrap-chain.ts";

/** Highest slot reported by the nodes of one network. */
export interface FurthestSlot {
  slot: bigint;
}

/** Number of slots a node may lag behind the others: half a minute of short slots. */
const TOLERATED_SLOTS = 100n;

const behind = () =>
  new ChainUnavailableError("The node is behind where it or another one was.", {
    trouble: "behind",
  });

/**
 * Returns a node whose answers are accepted only while it keeps up with the other nodes and never goes back behind its
 * own.
 *
 * This keeps figures fresh; proof of a transaction's outcome does not depend on it.
 */
export function createCurrentChain(chain: Chain, furthest: FurthestSlot): Chain {
  let finalHeight = 0n;

  const pass = <T extends { readonly slot: bigint }>(answer: T): T => {
    if (answer.slot + TOLERATED_SLOTS < furthest.slot) throw behind();
    if (answer.slot > furthest.slot) furthest.slot = answer.slot;
    return answer;
  };

  return wrapChain(chain, (inner) => ({
    accounts: async (...input) => pass(await inner.accounts(...input)),
    latestBlockhash: async () => pass(await inner.latestBlockhash()),
    signatureStatuses: async (...input) => pass(await inner.signatureStatuses(...input)),
    async progress(commitment) {
      const progress = await inner.progress(commitment);
      if (commitment !== "finalized") return pass(progress);
      if (progress.blockHeight < finalHeight) throw behind();
      finalHeight = progress.blockHeight;
      return progress;
    },
  }));
}
