import type { Address } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import type { Network } from "../domain/network.ts";
import type { NodeTrouble } from "../domain/node-trouble.ts";
import { createAccountMemory, createCarefulChain, forgetAccounts } from "./careful-chain.ts";
import { createForwardChain } from "./forward-chain.ts";
import { createNodePool, type NodePool, type PooledNode } from "./node-pool.ts";
import { createNodeRecord } from "./node-record.ts";
import { createRpcChain } from "./rpc-chain.ts";
import { createNodeTransport, type Post } from "./rpc-transport.ts";
import { createCurrentChain, unknownProgress } from "./slot-watch.ts";
import { createVerifiedChain } from "./verified-chain.ts";
import { createWitnesses, type Witnesses } from "./witnesses.ts";

export interface RpcNetworkOptions {
  /** Expected `genesisHash` of every node of the network. */
  readonly genesisHash: string;
  readonly clock: Clock;
  readonly post: Post;
  sleep(ms: number): Promise<unknown>;
  /** Called with each new fault of a node, and with `null` when it ends. */
  readonly onTrouble?: (node: string, trouble: NodeTrouble | null) => void;
}

/** A network's nodes as one chain. */
export interface RpcNetwork extends NodePool {
  /** Accepts missing accounts that a landed transaction is known to have closed. */
  forgetAccounts(addresses: readonly Address[]): void;
  readonly witnesses: Witnesses;
}

/** Opens the nodes of one network as one chain that cross-checks their answers. */
export function openRpcNetwork(
  network: Network,
  urls: readonly string[],
  options: RpcNetworkOptions,
): RpcNetwork {
  const { clock, genesisHash, onTrouble, post, sleep } = options;
  const progress = unknownProgress(clock, urls.length);
  const memory = createAccountMemory();
  const nodes = urls.map((url, at): PooledNode => {
    const name = `Node ${at + 1}`;
    const node = createRpcChain(network, createNodeTransport(url, post));
    return {
      chain: createCurrentChain(createVerifiedChain(node, genesisHash), progress),
      record: createNodeRecord(name, clock, (trouble) => onTrouble?.(name, trouble)),
    };
  });
  const careful = nodes.map((node): PooledNode => {
    const others = nodes.filter((other) => other !== node);
    return { ...node, chain: createCarefulChain(node.chain, { others, memory, sleep }) };
  });
  const pool = createNodePool(careful, sleep);
  return {
    ...pool,
    chain: createForwardChain(pool.chain),
    witnesses: createWitnesses(nodes, sleep),
    forgetAccounts: (addresses) => forgetAccounts(memory, addresses),
  };
}
