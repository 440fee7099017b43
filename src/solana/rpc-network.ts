import type { Clock } from "../domain/clock.ts";
import type { Network } from "../domain/network.ts";
import { createAccountMemory, createCarefulChain } from "./careful-chain.ts";
import type { Chain } from "./chain.ts";
import { createForwardChain } from "./forward-chain.ts";
import { createNodePool, type NodePool, type NodePoolOptions } from "./node-pool.ts";
import { createRpcChain } from "./rpc-chain.ts";
import { createNodeTransport, type Post } from "./rpc-transport.ts";
import { createCurrentChain, type FurthestSlot } from "./slot-watch.ts";

/** Opens the nodes of one network as one chain that believes none of them more than it has to. */
export function openRpcNetwork(
  network: Network,
  urls: readonly string[],
  options: NodePoolOptions & { readonly clock: Clock; readonly post: Post },
): NodePool {
  const furthest: FurthestSlot = { slot: 0n };
  const memory = createAccountMemory();
  const nodes = urls.map((url): Chain => {
    const node = createRpcChain(network, createNodeTransport(url, options.post));
    return createCurrentChain(node, furthest);
  });
  const careful = nodes.map((node) => {
    const others = nodes.filter((other) => other !== node);
    return createCarefulChain(node, { others, memory, sleep: options.sleep });
  });
  const pool = createNodePool(careful, options);
  return { ...pool, chain: createForwardChain(pool.chain) };
}
