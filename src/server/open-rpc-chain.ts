import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../domain/network.ts";
import type { Chain } from "../solana/chain.ts";
import { createRpcChain } from "../solana/rpc-chain.ts";
import { createFailoverTransport } from "../solana/rpc-transport.ts";
import { ConfigError } from "./config.ts";

type RealNetwork = Exclude<Network, "practice">;

/** Genesis hashes of the public clusters: the one fact a wrong RPC address cannot share. */
const GENESIS_HASHES: Readonly<Record<RealNetwork, string>> = {
  devnet: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
};

/** Opens a real cluster; throws `ConfigError` when the RPC does not answer or serves another cluster. */
export async function openRpcChain(network: RealNetwork, urls: readonly string[]): Promise<Chain> {
  const setting = `RPC_URL_${network.toUpperCase()}`;
  const transport = createFailoverTransport(urls, {
    withTimeout: (timeoutMs, work) => work(AbortSignal.timeout(timeoutMs)),
    sleep: (ms) => sleep(ms),
  });
  const chain = createRpcChain(network, transport);
  const genesisHash = await chain.genesisHash().catch(() => {
    throw new ConfigError(`${setting}: no node answered.`);
  });
  if (genesisHash !== GENESIS_HASHES[network]) {
    throw new ConfigError(`${setting}: serves another chain than ${network} (${genesisHash}).`);
  }
  return chain;
}
