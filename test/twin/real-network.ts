import type { Address } from "@solana/kit";
import { SQUADS_PROGRAM } from "../../src/solana/programs/squads-pdas.ts";
import { associatedTokenAddress } from "../../src/solana/programs/associated-token.ts";
import { priceUpdateLayout } from "../../src/venues/drift/layout-oracle.ts";
import { DRIFT_V2_PROFILE as IDS } from "../../src/venues/drift/profile.ts";
import type { ChainBench } from "../chain-bench.ts";
import { type ExchangeBench, openExchange } from "../drift-cases/case.ts";
import { SOL_ORACLE } from "../drift-cases/initialised-exchange.ts";
import { type RpcServer, startRpcServer } from "../rpc-server.ts";
import { putDollars } from "../squads-bench.ts";
import { type LiteChain, openLiteChain } from "./lite-chain.ts";

const DEVNET_GENESIS = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";

/** The program files tests of a real network need, or why there is none. */
export function programFiles(env: Readonly<Record<string, string | undefined>>) {
  const { SQUADS_SO: squads, DRIFT_SO: drift } = env;
  if (squads === undefined || squads === "") return { absent: "SQUADS_SO names no program file" };
  if (drift === undefined || drift === "") return { absent: "DRIFT_SO names no program file" };
  return { absent: null, programs: { [SQUADS_PROGRAM]: squads, [IDS.programId]: drift } };
}

/** A devnet of this process: the real programs in litesvm behind a JSON-RPC server, with an exchange that trades. */
export interface RealNetwork extends Pick<RpcServer, "url" | "calls" | "close"> {
  readonly net: LiteChain;
  readonly exchange: ExchangeBench;
  give(owner: Address, lamports: bigint): Promise<void>;
  giveDollars(owner: Address, units: bigint): Promise<void>;
}

function benchOf(net: LiteChain): ChainBench {
  return {
    send: () => Promise.reject(new Error("Transactions come over the network")),
    account: async (at) => net.account(at),
    put: async (at, state) => net.put(at, state),
    async edit(at, change) {
      const state = net.account(at);
      if (state === null) throw new Error(`There is no account ${at}`);
      net.put(at, change(state));
    },
    async give(at, amount) {
      const state = net.account(at);
      const rest = state ?? { owner: SYSTEM, data: new Uint8Array(0), executable: false };
      net.put(at, { ...rest, lamports: (state?.lamports ?? 0n) + amount });
    },
    advance: () => undefined,
    nextSlot: () => undefined,
    time: async () => net.time(),
  };
}

const SYSTEM = "11111111111111111111111111111111" as Address;

/** Opens the network. Its keepers post the price anew in every slot. */
export async function openRealNetwork(
  programs: Readonly<Record<string, string>>,
  settings: { readonly minPerpAuctionDuration: number },
): Promise<RealNetwork> {
  const keepers = {
    post: () => {
      const state = net.account(SOL_ORACLE);
      if (state === null) return;
      const { slot, unixTime } = net.time();
      const oracle = priceUpdateLayout.decode(state.data);
      const posted = { ...oracle, publishTime: unixTime, postedSlot: slot };
      net.put(SOL_ORACLE, { ...state, data: priceUpdateLayout.encode(posted) });
    },
  };
  const net = openLiteChain({
    network: "devnet",
    genesisHash: DEVNET_GENESIS,
    programs,
    clock: { now: () => Date.now() },
    everySlot: () => keepers.post(),
  });
  const bench = benchOf(net);
  const exchange = await openExchange(bench);
  await exchange.setExchange(settings);
  const server = await startRpcServer(net.chain);
  return {
    ...server,
    net,
    exchange,
    give: (owner, lamports) => bench.give(owner, lamports),
    async giveDollars(owner, units) {
      await putDollars(bench, owner, units);
      if (net.account(associatedTokenAddress(owner, IDS.quote.mint)) === null) {
        throw new Error("The dollars did not arrive");
      }
    },
  };
}
