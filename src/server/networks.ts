import type { Address } from "@solana/kit";
import type { OwnerAddress } from "../domain/ids.ts";
import type { Network } from "../domain/network.ts";
import type { VenueId } from "../domain/venue-id.ts";
import { type Chain, PriceUnavailableError } from "../solana/chain.ts";
import type { NodeState } from "../solana/node-record.ts";
import type { PriorityFeePolicy } from "../solana/compute-limit.ts";
import type { Witnesses } from "../solana/witnesses.ts";
import type { CallClass, RequestBudget } from "../solana/request-budget.ts";
import type { Venue } from "../venues/ports.ts";
import type { LivePrices } from "./market-data/prices/price-feed.ts";
import { AppError } from "../contract/errors.ts";

/** One enabled network with its chain and venues. Only `main.ts` creates these. */
export interface NetworkRuntime {
  readonly network: Network;
  readonly chain: Chain;
  readonly venues: ReadonlyMap<VenueId, Venue>;
  /** Explorer address of a transaction with `{signature}` in it; null where no explorer knows the chain. */
  readonly explorerUrl: string | null;
  /** The deployment's shared lookup table; when absent, transactions contain every address in full. */
  readonly lookupTable?: Address;
  /** Priority fee limits of owners' transactions; the default when absent. */
  readonly priorityFee?: PriorityFeePolicy;
  /** Returns the price of an asset at any past moment, six decimals; absent where past prices are not known. */
  readonly priceAt?: (asset: string, atMs: number) => bigint | undefined;
  /** Source of play money; absent on real networks. */
  readonly faucet?: Faucet;
  /** Does what strangers do for their fees on a real network, once; absent on real networks. */
  readonly keep?: () => Promise<void>;
  /** The live prices that the chain's markets follow, and the state of their sources; absent elsewhere. */
  readonly livePrices?: Pick<LivePrices, "bulletin" | "onNew">;
  /** Returns the state of the chain's nodes; absent when there are none. */
  readonly nodes?: () => readonly NodeState[];
  /** Requests a second that the nodes allow; absent on networks without nodes. */
  readonly requestsPerSecond?: number;
  /** Hears of requests that other processes sent to the nodes; absent on networks without nodes. */
  readonly spent?: RequestBudget["spent"];
  /** The chain's nodes one by one, where an answer is doubted; absent on networks without nodes. */
  readonly witnesses?: Witnesses;
  /** Accepts missing accounts that a landed transaction is known to have closed; absent on networks without nodes. */
  readonly forgetAccounts?: (addresses: readonly Address[]) => void;
  /** Returns the network with its calls made for another purpose; absent when calls have no priorities. */
  readonly inClass?: (callClass: CallClass) => NetworkRuntime;
  /** Returns the network with every account read from no earlier than a slot; absent where no answer is older than another. */
  readonly since?: (slot: bigint) => NetworkRuntime;
}

export type Networks = ReadonlyMap<Network, NetworkRuntime>;

/** Returns the networks with every call made for one purpose, which sets its priority when requests are scarce. */
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

/** A built-in network's source of play money. Amounts in lamports and quote base units. */
interface Faucet {
  give(owner: OwnerAddress, lamports: bigint, quoteUnits: bigint): Promise<string>;
}

/** Returns what a caller is told when a chain gave no answer, or when there is no price. */
export const networkUnavailable = (cause: Error): AppError =>
  new AppError("unavailable", {
    message:
      cause instanceof PriceUnavailableError
        ? cause.message
        : "The network's nodes do not answer at the moment. Try again in a moment.",
    cause,
  });
