import type { Address } from "@solana/kit";
import type { AccountState } from "../../src/practice/runtime/account-state.ts";
import type { Chain } from "../../src/solana/chain.ts";
import { SQUADS_PROGRAM } from "../../src/solana/programs/squads.ts";
import { priceUpdateLayout } from "../../src/solana/programs/pyth-receiver.ts";
import { spotMarketLayout } from "../../src/venues/drift/layout-spot-market.ts";
import { deriveSpotMarket, deriveSpotMarketVault } from "../../src/venues/drift/pdas.ts";
import { DRIFT_INSTANCES, DRIFT_V2_INSTANCE } from "../../src/venues/drift/instance.ts";
import { tokenAccountCodec } from "../../src/solana/programs/token.ts";
import { type ChainBench, liteAccount } from "../chain-bench.ts";
import { type ExchangeBench, openExchange } from "../drift-cases/case.ts";
import { SOL_ORACLE } from "../drift-cases/initialised-exchange.ts";
import { type LiteNode, openLiteNode } from "../lite-node.ts";
import { type RpcServer, startRpcServer } from "../rpc-server.ts";
import { putDollars } from "../squads-bench.ts";

const IDS = DRIFT_INSTANCES.devnet;
const DEVNET_GENESIS = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";

/** Returns the program files that tests of a real network need, or the reason they are missing. */
export function programFiles(env: Readonly<Record<string, string | undefined>>) {
  const { SQUADS_SO: squads, DRIFT_SO: drift } = env;
  if (squads === undefined || squads === "") return { absent: "SQUADS_SO names no program file" };
  if (drift === undefined || drift === "") return { absent: "DRIFT_SO names no program file" };
  return { absent: null, programs: { [SQUADS_PROGRAM]: squads, [IDS.programId]: drift } };
}

/** A devnet of this process: the real programs in litesvm behind a JSON-RPC server, with an exchange that trades. */
export interface RealNetwork extends Pick<RpcServer, "url" | "calls" | "behave" | "close"> {
  readonly chain: Chain;
  readonly exchange: ExchangeBench;
  account(at: Address): AccountState | null;
  give(owner: Address, lamports: bigint): Promise<void>;
  giveDollars(owner: Address, units: bigint): Promise<void>;
}

const clock = { now: () => Date.now() };

function benchOf({ chain, svm, put, give }: LiteNode): ChainBench {
  return {
    send: () => Promise.reject(new Error("Transactions come over the network")),
    account: async (at) => liteAccount(svm, at),
    put: async (at, state) => put(at, state),
    async edit(at, change) {
      const state = liteAccount(svm, at);
      if (state === null) throw new Error(`There is no account ${at}`);
      put(at, change(state));
    },
    give: async (at, amount) => give(at, amount),
    advance: () => undefined,
    nextSlot: () => undefined,
    async time() {
      const { slot } = await chain.progress("confirmed");
      return { slot, unixTime: BigInt(Math.floor(clock.now() / 1_000)) };
    },
  };
}

/** Makes devnet's test dollar the exchange's quote token. */
async function settleInTestDollars(bench: ChainBench): Promise<void> {
  const dollar = await bench.account(DRIFT_V2_INSTANCE.quote.mint);
  if (dollar === null) throw new Error("The network has no dollar");
  const { mint } = IDS.quote;
  await bench.put(mint, dollar);
  await bench.edit(deriveSpotMarket(IDS, 0), (market) => ({
    ...market,
    data: spotMarketLayout.encode({ ...spotMarketLayout.decode(market.data), mint }),
  }));
  await bench.edit(deriveSpotMarketVault(IDS, 0), (vault) => ({
    ...vault,
    data: new Uint8Array(
      tokenAccountCodec.encode({ ...tokenAccountCodec.decode(vault.data), mint }),
    ),
  }));
}

/** Opens the network. Its keepers post the price anew in every slot. */
export async function openRealNetwork(
  programs: Readonly<Record<string, string>>,
  settings: { readonly minPerpAuctionDuration: number },
): Promise<RealNetwork> {
  const node: LiteNode = openLiteNode({
    genesisHash: DEVNET_GENESIS,
    programs,
    clock,
    everySlot: ({ slot, unixTime }) => {
      const state = liteAccount(node.svm, SOL_ORACLE);
      if (state === null) return;
      const oracle = priceUpdateLayout.decode(state.data);
      const posted = { ...oracle, publishTime: unixTime, postedSlot: slot };
      node.put(SOL_ORACLE, { ...state, data: priceUpdateLayout.encode(posted) });
    },
  });
  const bench = benchOf(node);
  const exchange = await openExchange(bench);
  await exchange.setExchange(settings);
  await settleInTestDollars(bench);
  const server = await startRpcServer(node);
  return {
    ...server,
    chain: node.chain,
    exchange,
    account: (at) => liteAccount(node.svm, at),
    give: (owner, lamports) => bench.give(owner, lamports),
    giveDollars: (owner, units) => putDollars(bench, owner, units, IDS.quote.mint),
  };
}
