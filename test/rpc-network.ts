import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../src/domain/network.ts";
import { withCallClasses } from "../src/server/main/call-classes.ts";
import type { NetworkRuntime } from "../src/server/networks.ts";
import { createRequestBudget } from "../src/solana/request-budget.ts";
import { createRpcChain } from "../src/solana/rpc-chain.ts";
import { createFailoverTransport } from "../src/solana/rpc-transport.ts";
import type { CustodyWorld } from "./custody-world.ts";
import { practiceVenues } from "./practice-venues.ts";

/** Requests a second the networks of tests may ask, as a real one's default. */
export const TEST_REQUESTS_PER_SECOND = 10;

/** A world's chain as a network behind JSON-RPC, with a budget on the world's clock; who waits lets time pass. */
export function rpcNetwork(
  network: Network,
  url: string,
  { clock, prices }: Pick<CustodyWorld, "clock" | "prices">,
): NetworkRuntime {
  const transport = createFailoverTransport([url], {
    withTimeout: (timeoutMs, work) => work(AbortSignal.timeout(timeoutMs)),
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
    { network, chain: createRpcChain(network, transport), explorerUrl: null },
    (view) => [...practiceVenues(view, prices, clock).values()],
    { clock, budget, endOfMoment: () => new Promise((resolve) => setImmediate(resolve)) },
  );
}
