import type { NetworkRuntime, Networks } from "../networks.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Db } from "../store/db.ts";
import { pingDatabase } from "../store/ping.ts";
import type { Venue } from "../../venues/venue.ts";
import type { Handlers } from "./handler.ts";

/** Answers of the database are believed this long, so that a flood of questions asks it once. */
const PING_KEPT_MS = 1_000;

/** Answers what this deployment offers and whether it is well: HEAD when it can be reached, GET when it can work too. */
export function deploymentHandlers(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  readonly aiOrigins?: readonly string[];
}): Pick<Handlers, "getDeployment" | "getHealth" | "headHealth"> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let ping: Promise<void> = Promise.resolve();
  const requireDatabase = (): Promise<void> => {
    if (deps.clock.now() - askedAtMs >= PING_KEPT_MS) {
      askedAtMs = deps.clock.now();
      ping = pingDatabase(deps.db);
    }
    return ping;
  };

  return {
    async getDeployment() {
      const networks = [...deps.networks.values()];
      return {
        networks: await Promise.all(networks.map(presentNetwork)),
        aiOrigins: [...(deps.aiOrigins ?? [])],
      };
    },
    async getHealth() {
      await requireDatabase();
      return { status: "ok" as const };
    },
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
