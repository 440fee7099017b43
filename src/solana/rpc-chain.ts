import { rpcAccounts } from "./rpc-accounts.ts";
import { rpcHistory } from "./rpc-history.ts";
import { rpcProgress } from "./rpc-progress.ts";
import { rpcSending } from "./rpc-sending.ts";
import { type RpcTransport, createSolanaRpcFromTransport } from "@solana/kit";
import type { Network } from "../domain/network.ts";
import type { Chain } from "./chain.ts";

/**
 * Returns the chain of one node over Solana's JSON-RPC via HTTP: polling only, reads at `confirmed`; an impossible
 * answer counts as no answer.
 */
export function createRpcChain(network: Network, transport: RpcTransport): Chain {
  const rpc = createSolanaRpcFromTransport(transport);
  const node: Chain = {
    network,
    ...rpcAccounts(rpc),
    ...rpcProgress(rpc),
    ...rpcSending(rpc),
    ...rpcHistory(rpc),
    withOneNode: (work) => work(node),
  };
  return node;
}
