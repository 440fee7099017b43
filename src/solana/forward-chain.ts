import type { Chain } from "./chain.ts";
import { wrapChain } from "./wrap-chain.ts";

/**
 * Returns the chain with monotonic reads: after it reported the outcome of a transaction, accounts are read at that
 * slot or later.
 *
 * A node that has not reached that slot counts as unavailable. The slot is kept in this process only.
 */
export function createForwardChain(chain: Chain): Chain {
  let reached = 0n;
  return wrapChain(chain, (inner) => ({
    accounts(addresses, { minContextSlot = 0n } = {}) {
      const least = minContextSlot > reached ? minContextSlot : reached;
      return inner.accounts(addresses, least === 0n ? {} : { minContextSlot: least });
    },
    async transaction(signature) {
      const outcome = await inner.transaction(signature);
      if (outcome !== null && outcome.slot > reached) reached = outcome.slot;
      return outcome;
    },
  }));
}
