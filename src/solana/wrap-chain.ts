import type { Chain } from "./chain.ts";

/** Returns the chain with some of its calls replaced, for the node a group of calls is bound to as well. */
export function wrapChain(chain: Chain, around: (inner: Chain) => Partial<Chain>): Chain {
  return {
    ...chain,
    withOneNode: (work) => chain.withOneNode((node) => work(wrapChain(node, around))),
    ...around(chain),
  };
}
