import { type Chain, ChainUnavailableError } from "./chain.ts";
import { wrapChain } from "./wrap-chain.ts";

/** The furthest slot the nodes of one network told of. */
export interface FurthestSlot {
  slot: bigint;
}

/** How far behind the others a node may be: half a minute of short slots. */
const TOLERATED_SLOTS = 100n;

const behind = () =>
  new ChainUnavailableError("The node is behind where it or another one was.", {
    trouble: "behind",
  });

/**
 * Returns a node whose answers count only while it keeps up with the others and does not fall back behind itself.
 *
 * This keeps figures fresh; what became of a transaction is proved without it.
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
