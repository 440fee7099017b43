import type { Chain } from "./chain.ts";
import { wrapChain } from "./wrap-chain.ts";

/**
 * Returns the chain without steps back: once it told what became of a transaction, accounts are read as of that slot or later.
 *
 * A node that is not there yet counts as unavailable. Remembered by this process alone.
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
