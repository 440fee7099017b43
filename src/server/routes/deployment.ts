import type { NetworkRuntime, Networks } from "../networks.ts";
import type { Venue } from "../../venues/venue.ts";
import type { Handlers } from "./handler.ts";

export function deploymentHandlers(deps: {
  readonly networks: Networks;
  readonly aiOrigins?: readonly string[];
}): Pick<Handlers, "getDeployment" | "getHealth" | "headHealth"> {
  return {
    async getDeployment() {
      const networks = [...deps.networks.values()];
      return {
        networks: await Promise.all(networks.map(presentNetwork)),
        aiOrigins: [...(deps.aiOrigins ?? [])],
      };
    },
    getHealth: async () => ({ status: "ok" as const }),
    headHealth: async () => null,
  };
}

async function presentNetwork(runtime: NetworkRuntime) {
  return {
    network: runtime.network,
    explorerUrl: runtime.explorerUrl,
    venues: await Promise.all([...runtime.venues.values()].map(presentVenue)),
  };
}

async function presentVenue(venue: Venue) {
  const health = await healthOf(venue);
  const { symbol, decimals } = venue.profile.quote;
  return { venue: venue.id, ...health, quoteSymbol: symbol, quoteDecimals: decimals };
}

/** A venue that cannot be read takes nothing new for now, which is what paused means. */
async function healthOf(venue: Venue): Promise<Awaited<ReturnType<Venue["health"]>>> {
  try {
    return await venue.health();
  } catch {
    return { status: "paused", reason: "The venue cannot be reached at the moment." };
  }
}
