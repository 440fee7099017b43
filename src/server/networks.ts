import type { Address } from "@solana/kit";
import type { Network } from "../domain/network.ts";
import type { VenueId } from "../domain/venue-id.ts";
import type { Chain } from "../solana/chain.ts";
import type { NodeState } from "../solana/node-state.ts";
import type { PriorityFeePolicy } from "../solana/priority-fee.ts";
import type { CallClass } from "../solana/request-budget.ts";
import type { Venue } from "../venues/venue.ts";

/** One enabled network with what runs on it. Only `main.ts` makes these. */
export interface NetworkRuntime {
  readonly network: Network;
  readonly chain: Chain;
  readonly venues: ReadonlyMap<VenueId, Venue>;
  /** Explorer address of a transaction with `{signature}` in it; null where no explorer knows the chain. */
  readonly explorerUrl: string | null;
  /** The deployment's shared lookup table; absent: every address is written out. */
  readonly lookupTable?: Address;
  /** How high an owner's transaction may bid for its place; absent: the default. */
  readonly priorityFee?: PriorityFeePolicy;
  /** Gives practice money; absent on real networks. */
  readonly faucet?: Faucet;
  /** How well the nodes behind the chain are; absent: there are none. */
  readonly nodes?: () => readonly NodeState[];
  /** The same network with its calls made for something else; absent: no call waits for another. */
  readonly inClass?: (callClass: CallClass) => NetworkRuntime;
}

export type Networks = ReadonlyMap<Network, NetworkRuntime>;

/** Returns the networks with every call made for one thing, which is its rank where requests are scarce. */
export function inClass(networks: Networks, callClass: CallClass): Networks {
  return new Map(
    [...networks].map(([network, runtime]) => [network, runtime.inClass?.(callClass) ?? runtime]),
  );
}

/** Returns the venue an agent trades on; undefined where this deployment does not offer it. */
export function findVenue(
  networks: Networks,
  { network, venue }: { readonly network: Network; readonly venue: VenueId | null },
): Venue | undefined {
  return venue === null ? undefined : networks.get(network)?.venues.get(venue);
}

/** The practice network's source of money. Amounts in lamports and quote base units. */
export interface Faucet {
  give(owner: string, lamports: bigint, quoteUnits: bigint): Promise<string>;
}
