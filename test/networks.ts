import { SYSTEM_PROGRAM } from "../src/solana/programs/system.ts";
import type { Chain } from "../src/solana/chain.ts";
import type { NetworkRuntime, Networks } from "../src/server/networks.ts";
import type { Network } from "../src/domain/network.ts";
import type { KnownTradingCosts } from "../src/domain/trading-costs.ts";
import type { VenueId } from "../src/domain/venue-id.ts";
import type { Venue } from "../src/venues/ports.ts";

/** Networks for tests that use no chain: a call of the chain, or of a venue beyond its instance, fails the test. */
export function buildNetworks(
  enabled: readonly Network[] = ["practice"],
  venueIds: readonly VenueId[] = ["drift"],
): Networks {
  return new Map(enabled.map((network) => [network, buildRuntime(network, venueIds)]));
}

function buildRuntime(network: Network, venueIds: readonly VenueId[]): NetworkRuntime {
  return {
    network,
    chain: untouchable<Chain>("chain", {}),
    venues: new Map(venueIds.map((id) => [id, buildVenue(id)])),
    explorerUrl: null,
  };
}

const COSTS: KnownTradingCosts = {
  feePpm: 1_000,
  halfSpreadPpm: 500,
  impactPpm: 0,
  fundingPpmPerDay: 0,
  maintenancePpm: 100_000,
  minBaseSize: 10_000_000n,
  baseStep: 10_000_000n,
  sources: { fee: "", spread: "", impact: "", funding: "", minimum: "" },
};

function buildVenue(id: VenueId): Venue {
  return untouchable<Venue>("venue", {
    id,
    instance: {
      name: id,
      programId: SYSTEM_PROGRAM,
      quote: {
        symbol: "USDC",
        mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Venue["instance"]["quote"]["mint"],
        decimals: 6,
      },
      setUpSizes: [],
      unrecoverableSizes: [],
      unrecoverableWhat: "Nothing",
    },
    health: async () => ({ status: "available" }),
    tradingCosts: async () => COSTS,
  });
}

function untouchable<T extends object>(name: string, known: Partial<T>): T {
  return new Proxy(known as T, {
    get(target, key) {
      if (key in target) return Reflect.get(target, key);
      throw new Error(`This test must not use ${name}.${String(key)}.`);
    },
  });
}
