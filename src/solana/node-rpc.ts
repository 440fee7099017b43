import type { createSolanaRpcFromTransport, RpcTransport } from "@solana/kit";

/** Kit's RPC client of one node. */
export type NodeRpc = ReturnType<typeof createSolanaRpcFromTransport<RpcTransport>>;
