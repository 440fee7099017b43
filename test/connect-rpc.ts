import type { Clock } from "../src/domain/clock.ts";
import type { Network } from "../src/domain/network.ts";
import { postJson } from "../src/server/main/http-client.ts";
import type { NodeTrouble } from "../src/domain/agent-health.ts";
import type { Chain } from "../src/solana/chain.ts";
import {
  openRpcNetwork,
  type RpcNetwork,
  type RpcNetworkOptions,
} from "../src/solana/rpc-network.ts";
import type { RpcServer } from "./rpc-server.ts";

/** Timeout of one answer of a test node, in milliseconds, where a test names none. */
const TIMEOUT_MS = 1_000;

/** Connects to JSON-RPC servers in front of `served` as the product connects to its nodes. */
export async function connectRpc(
  servers: readonly Pick<RpcServer, "url">[],
  served: Chain,
  options: {
    readonly clock: Clock;
    readonly network?: Network;
    readonly sleep?: (ms: number) => Promise<unknown>;
    readonly onTrouble?: (node: string, trouble: NodeTrouble | null) => void;
    readonly sharing?: NonNullable<RpcNetworkOptions["sharing"]>;
    readonly statuses?: NonNullable<RpcNetworkOptions["statuses"]>;
    readonly timeoutMs?: number;
  },
): Promise<RpcNetwork> {
  const {
    clock,
    network = "devnet",
    sleep = async () => {},
    onTrouble,
    sharing,
    statuses,
  } = options;
  const { timeoutMs = TIMEOUT_MS } = options;
  return openRpcNetwork(
    network,
    servers.map(({ url }) => url),
    {
      clock,
      sleep,
      genesisHash: await served.genesisHash(),
      post: (url, body, { maxBytes }) => postJson(url, body, { timeoutMs, maxBytes }),
      ...(onTrouble === undefined ? {} : { onTrouble }),
      ...(sharing === undefined ? {} : { sharing }),
      ...(statuses === undefined ? {} : { statuses }),
    },
  );
}
