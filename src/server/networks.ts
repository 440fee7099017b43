import type { Address } from "@solana/kit";
import type { Network } from "../domain/network.ts";
import type { VenueId } from "../domain/venue-id.ts";
import type { Chain } from "../solana/chain.ts";
import type { PriorityFeePolicy } from "../solana/priority-fee.ts";
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
}

export type Networks = ReadonlyMap<Network, NetworkRuntime>;

/** The practice network's source of money. Amounts in lamports and quote base units. */
export interface Faucet {
  give(owner: string, lamports: bigint, quoteUnits: bigint): Promise<string>;
}
