import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import type { Network } from "../../domain/network.ts";
import {
  openRpcNetwork,
  type RpcNetwork,
  type RpcNetworkOptions,
} from "../../solana/rpc-network.ts";
import { postJson } from "./http-client.ts";

type RealNetwork = Exclude<Network, "practice">;

/** Genesis hashes of the public clusters, which identify the cluster behind an RPC address. */
export const GENESIS_HASHES: Readonly<Record<RealNetwork, string>> = {
  devnet: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
};

/** A network's nodes, which may not have been asked anything yet. */
export interface RpcPool extends RpcNetwork {
  /** Returns whether a node that answered serves another chain. */
  servesOther(): boolean;
}

/** Opens a real cluster; no node is asked, and none of another cluster ever answers. */
export function openRpcChain(
  network: RealNetwork,
  urls: readonly string[],
  options: { readonly clock: Clock; readonly onTrouble?: RpcNetworkOptions["onTrouble"] },
): RpcPool {
  const { onTrouble } = options;
  const pool = openRpcNetwork(network, urls, {
    clock: options.clock,
    genesisHash: GENESIS_HASHES[network],
    post: postJson,
    sleep,
    ...(onTrouble === undefined ? {} : { onTrouble }),
  });
  const servesOther = () => pool.nodes().some(({ trouble }) => trouble?.kind === "wrong_chain");
  return { ...pool, servesOther };
}
