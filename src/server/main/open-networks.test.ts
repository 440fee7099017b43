import { afterEach, describe, expect, it } from "vitest";
import { openPracticeBench } from "../../../test/chain-bench.ts";
import { createTestClock } from "../../../test/clock.ts";
import { type RpcBehaviour, startRpcServer } from "../../../test/rpc-server.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { DRIFT_INSTANCES } from "../../venues/drift/instance.ts";
import { deriveSpotMarket } from "../../venues/drift/pdas.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { loadOperatorConfig } from "../config.ts";
import { openCluster } from "./open-networks.ts";

const DEVNET_GENESIS = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
const MAINNET_GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

let node: Awaited<ReturnType<typeof startRpcServer>> | undefined;
afterEach(() => node?.close());

/** Starts a network's node, which serves the practice exchange: it settles in mainnet's USDC. */
async function serve(network: "devnet" | "mainnet", genesis: string) {
  const { chain } = await openPracticeBench();
  node = await startRpcServer(wrapChain(chain, () => ({ genesisHash: async () => genesis })));
  const config = loadOperatorConfig({
    NETWORKS: network,
    [`RPC_URL_${network.toUpperCase()}`]: node.url,
  });
  return { node, deps: { config, clock: createTestClock() } };
}

async function open(network: "devnet" | "mainnet", genesis: string) {
  return openCluster(network, (await serve(network, genesis)).deps);
}

const DOWN: RpcBehaviour = { before: () => ({ kind: "status", status: 503 }) };

const QUOTE_MARKET = deriveSpotMarket(DRIFT_INSTANCES.mainnet, 0);

describe("openCluster", () => {
  it("opens a network whose exchange settles in the expected token", async () => {
    const { venues } = await open("mainnet", MAINNET_GENESIS);
    expect(venues.get("drift")?.instance.quote).toEqual(DRIFT_INSTANCES.mainnet.quote);
  });

  it("refuses a network whose exchange settles in another token, in one sentence", async () => {
    await expect(open("devnet", DEVNET_GENESIS)).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringMatching(
        /^RPC_URL_DEVNET: the exchange on devnet settles in the token EPjF\S+ with 6 decimals; this version knows USDC 8zGu\S+ with 6 there\. Nothing was started\.$/,
      ),
    });
  });
});

describe("a network that does not answer at the start", () => {
  it("ends an operator's command in one sentence", async () => {
    const { node: served, deps } = await serve("mainnet", MAINNET_GENESIS);
    served.behave(DOWN);
    await expect(openCluster("mainnet", deps)).rejects.toMatchObject({
      name: "ConfigError",
      message: "RPC_URL_MAINNET: no node answered.",
    });
  });

  it("does not stop a server, and works once it answers", async () => {
    const { node: served, deps } = await serve("mainnet", MAINNET_GENESIS);
    served.behave(DOWN);
    const away: string[] = [];
    const onUnreachable = (network: string) => void away.push(network);
    const runtime = await openCluster("mainnet", { ...deps, onUnreachable });
    expect(away).toEqual(["mainnet"]);
    await expect(runtime.chain.latestBlockhash()).rejects.toThrow(ChainUnavailableError);
    expect(runtime.nodes?.()).toMatchObject([{ trouble: { kind: "unreachable" } }]);
    served.behave(null);
    await expect(runtime.chain.latestBlockhash()).resolves.toHaveProperty("blockhash");
    expect(runtime.nodes?.()).toMatchObject([{ trouble: null }]);
  });

  it("stays unavailable when it returns and its exchange settles in another token", async () => {
    const { node: served, deps } = await serve("devnet", DEVNET_GENESIS);
    served.behave(DOWN);
    const runtime = await openCluster("devnet", { ...deps, onUnreachable: () => {} });
    served.behave(null);
    for (const chain of [runtime.chain, runtime.inClass?.("exit").chain]) {
      await expect(chain?.accounts([QUOTE_MARKET])).rejects.toThrow(/settles in the token EPjF/);
      await expect(chain?.withOneNode((each) => each.progress("confirmed"))).rejects.toThrow(
        /settles in the token EPjF/,
      );
    }
  });

  it("stops a server if it belongs to another chain", async () => {
    const { deps } = await serve("mainnet", DEVNET_GENESIS);
    await expect(
      openCluster("mainnet", { ...deps, onUnreachable: () => {} }),
    ).rejects.toMatchObject({
      name: "ConfigError",
      message: "RPC_URL_MAINNET: serves another chain than mainnet.",
    });
  });
});
