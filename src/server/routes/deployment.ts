import type { NetworkRuntime, Networks } from "../networks.ts";
import type { Clock } from "../../domain/clock.ts";
import type { NodeState } from "../../solana/node-state.ts";
import type { Venue } from "../../venues/venue.ts";
import type { Handlers } from "../http/handler.ts";

/** Lifetime of a cached venue check in milliseconds, shared by all open pages; of one that failed. */
const HEALTH_KEPT_MS = 30_000;
const FAILURE_KEPT_MS = 1_000;

type Health = Awaited<ReturnType<Venue["health"]>>;

/** Answers what this deployment offers. */
export function deploymentHandlers(deps: {
  readonly clock: Clock;
  readonly networks: Networks;
  readonly aiOrigins?: readonly string[];
}): Pick<Handlers, "getDeployment"> {
  const healths = new Map<
    Venue,
    { readonly askedAtMs: number; readonly health: Promise<Health> }
  >();
  /** Returns a venue's health; one that cannot be read accepts no orders and therefore counts as paused. */
  const healthOf = (venue: Venue): Promise<Health> => {
    const nowMs = deps.clock.now();
    const known = healths.get(venue);
    if (known !== undefined && nowMs - known.askedAtMs < HEALTH_KEPT_MS) return known.health;
    const health = venue.health().catch((): Health => {
      // A failure is cached briefly too, because strangers can make these calls
      const askedAtMs = deps.clock.now() - HEALTH_KEPT_MS + FAILURE_KEPT_MS;
      healths.set(venue, { askedAtMs, health });
      return { status: "paused", reason: "The venue cannot be reached at the moment." };
    });
    healths.set(venue, { askedAtMs: nowMs, health });
    return health;
  };

  return {
    async getDeployment() {
      const networks = [...deps.networks.values()];
      return {
        networks: await Promise.all(networks.map((runtime) => presentNetwork(runtime, healthOf))),
        aiOrigins: [...(deps.aiOrigins ?? [])],
      };
    },
  };
}

async function presentNetwork(
  runtime: NetworkRuntime,
  healthOf: (venue: Venue) => Promise<Health>,
) {
  return {
    network: runtime.network,
    explorerUrl: runtime.explorerUrl,
    nodes: (runtime.nodes?.() ?? []).map(presentNode),
    venues: await Promise.all(
      [...runtime.venues.values()].map(async (venue) => {
        const { symbol, decimals } = venue.instance.quote;
        const health = await healthOf(venue);
        return { venue: venue.id, ...health, quoteSymbol: symbol, quoteDecimals: decimals };
      }),
    ),
  };
}

function presentNode({ name, isUsed, trouble }: NodeState) {
  const shown = trouble && { kind: trouble.kind, since: new Date(trouble.sinceMs).toISOString() };
  return { name, isUsed, trouble: shown };
}
