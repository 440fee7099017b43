import type { Chain } from "../src/solana/chain.ts";

/** Returns the chain with some calls replaced, also for the node that a group of calls is bound to. */
export function wrapChain(chain: Chain, around: (inner: Chain) => Partial<Chain>): Chain {
  return {
    ...chain,
    withOneNode: (work) => chain.withOneNode((node) => work(wrapChain(node, around))),
    ...around(chain),
  };
}
