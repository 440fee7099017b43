import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../domain/clock.ts";
import type { Network } from "../domain/network.ts";
import { openRpcNetwork, type RpcNetwork, type RpcNetworkOptions } from "../solana/rpc-network.ts";
import { ConfigError } from "./config.ts";
import { postJson } from "./http-client.ts";

type RealNetwork = Exclude<Network, "practice">;

/** Genesis hashes of the public clusters, which identify the cluster behind an RPC address. */
export const GENESIS_HASHES: Readonly<Record<RealNetwork, string>> = {
  devnet: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
};

/** Opens a real cluster; throws `ConfigError` when no node answers, or none that serves this cluster. */
export async function openRpcChain(
  network: RealNetwork,
  urls: readonly string[],
  options: { readonly clock: Clock; readonly onTrouble?: RpcNetworkOptions["onTrouble"] },
): Promise<RpcNetwork> {
  const setting = `RPC_URL_${network.toUpperCase()}`;
  const { onTrouble } = options;
  const pool = openRpcNetwork(network, urls, {
    clock: options.clock,
    genesisHash: GENESIS_HASHES[network],
    post: postJson,
    sleep,
    ...(onTrouble === undefined ? {} : { onTrouble }),
  });
  try {
    await pool.chain.genesisHash();
  } catch {
    const isOther = pool.nodes().some(({ trouble }) => trouble?.kind === "wrong_chain");
    throw new ConfigError(
      isOther
        ? `${setting}: serves another chain than ${network}.`
        : `${setting}: no node answered.`,
    );
  }
  return pool;
}
