import type { Chain } from "../../solana/chain.ts";
import type { CallClass } from "../../solana/request-budget.ts";
import type { RpcNetwork } from "../../solana/rpc-network.ts";
import type { Venue } from "../../venues/ports.ts";
import type { NetworkRuntime } from "../networks.ts";

/** Returns a network whose calls are prioritised by purpose; each purpose has its own venues on the one chain. */
export function withCallClasses(
  runtime: Omit<NetworkRuntime, keyof RpcNetwork | "venues">,
  pool: RpcNetwork,
  venuesOn: (chain: Chain) => readonly Venue[],
): NetworkRuntime {
  const { nodes, forgetAccounts } = pool;
  const made = new Map<CallClass, NetworkRuntime>();
  const inClass = (callClass: CallClass): NetworkRuntime => {
    const known = made.get(callClass);
    if (known !== undefined) return known;
    const view = pool.forCalls(callClass);
    const venues = new Map(venuesOn(view.chain).map((venue) => [venue.id, venue]));
    const network = { ...runtime, ...view, venues, nodes, forgetAccounts, inClass };
    made.set(callClass, network);
    return network;
  };
  return inClass("owner");
}
