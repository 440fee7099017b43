import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../src/domain/network.ts";
import { withCallClasses } from "../src/server/main/open-networks.ts";
import type { NetworkRuntime } from "../src/server/networks.ts";
import { createRequestBudget } from "../src/solana/request-budget.ts";
import { connectRpc } from "./connect-rpc.ts";
import type { CustodyWorld } from "./custody-world.ts";
import { practiceVenues } from "./practice-venues.ts";
import type { RpcServer } from "./rpc-server.ts";

/** Request budget of test networks per second; equals the product's default. */
export const TEST_REQUESTS_PER_SECOND = 10;

/** Opens a world's chain as a network behind JSON-RPC with a request budget; waiting for the budget advances the world's clock. */
export async function rpcNetwork(
  network: Network,
  server: Pick<RpcServer, "url">,
  { chain: served, clock, prices }: Pick<CustodyWorld, "chain" | "clock" | "prices">,
): Promise<NetworkRuntime> {
  const budget = createRequestBudget({
    perSecond: TEST_REQUESTS_PER_SECOND,
    clock,
    sleep: async (ms) => {
      clock.advance(ms);
      await sleep(0);
    },
  });
  const pool = await connectRpc([server], served, {
    clock,
    network,
    sleep: () => sleep(0),
    sharing: {
      budget,
      endOfTick: () => new Promise((resolve) => setImmediate(resolve)),
      wait: (ms, signal) => sleep(ms, undefined, { signal }),
    },
  });
  return withCallClasses({ network, explorerUrl: null }, pool, (view) => [
    ...practiceVenues(view, prices, clock).values(),
  ]);
}
