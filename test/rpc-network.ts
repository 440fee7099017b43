import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../src/domain/network.ts";
import { withCallClasses } from "../src/server/main/call-classes.ts";
import type { NetworkRuntime } from "../src/server/networks.ts";
import { createRequestBudget } from "../src/solana/request-budget.ts";
import { connectRpc } from "./connect-rpc.ts";
import type { CustodyWorld } from "./custody-world.ts";
import { practiceVenues } from "./practice-venues.ts";
import type { RpcServer } from "./rpc-server.ts";

/** Requests a second the networks of tests may ask, as a real one's default. */
export const TEST_REQUESTS_PER_SECOND = 10;

/** A world's chain as a network behind JSON-RPC, with a budget on the world's clock; who waits lets time pass. */
export async function rpcNetwork(
  network: Network,
  server: Pick<RpcServer, "url">,
  { chain: served, clock, prices }: Pick<CustodyWorld, "chain" | "clock" | "prices">,
): Promise<NetworkRuntime> {
  const { chain, nodes } = await connectRpc([server], served, {
    clock,
    network,
    sleep: () => sleep(0),
  });
  const budget = createRequestBudget({
    perSecond: TEST_REQUESTS_PER_SECOND,
    clock,
    sleep: async (ms) => {
      clock.advance(ms);
      await sleep(0);
    },
  });
  return withCallClasses(
    { network, chain, nodes, explorerUrl: null },
    (view) => [...practiceVenues(view, prices, clock).values()],
    { clock, budget, endOfMoment: () => new Promise((resolve) => setImmediate(resolve)) },
  );
}
