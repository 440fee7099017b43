import { afterEach, describe, expect, it } from "vitest";
import { openPracticeBench } from "../../../test/chain-bench.ts";
import { createTestClock } from "../../../test/clock.ts";
import { startRpcServer } from "../../../test/rpc-server.ts";
import { wrapChain } from "../../solana/wrap-chain.ts";
import { DRIFT_INSTANCES } from "../../venues/drift/instance.ts";
import { loadConfig } from "../config.ts";
import { openCluster } from "./open-networks.ts";

const DEVNET_GENESIS = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
const MAINNET_GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

let node: Awaited<ReturnType<typeof startRpcServer>> | undefined;
afterEach(() => node?.close());

/** Opens a network whose node serves the practice exchange, which settles in mainnet's USDC. */
async function open(network: "devnet" | "mainnet", genesis: string) {
  const { chain } = await openPracticeBench();
  node = await startRpcServer(wrapChain(chain, () => ({ genesisHash: async () => genesis })));
  const config = loadConfig({
    NETWORKS: network,
    [`RPC_URL_${network.toUpperCase()}`]: node.url,
    DELEGATE_SECRET: "9f86d081884c7d659a2feaa0c55ad015",
    SESSION_SECRET: "a3bf4f1b2b0b822cd15d6c15b0f00a08",
  });
  return openCluster(network, { config, clock: createTestClock() });
}

describe("openCluster", () => {
  it("opens a network whose exchange settles in the token it should", async () => {
    const { venues } = await open("mainnet", MAINNET_GENESIS);
    expect(venues.get("drift")?.instance.quote).toEqual(DRIFT_INSTANCES.mainnet.quote);
  });

  it("refuses one whose exchange settles in another, in one sentence", async () => {
    await expect(open("devnet", DEVNET_GENESIS)).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringMatching(
        /^RPC_URL_DEVNET: the exchange on devnet settles in the token EPjF\S+ with 6 decimals; this version knows USDC 8zGu\S+ with 6 there\. Nothing was started\.$/,
      ),
    });
  });
});
