import type { NetworkRuntime, Networks } from "../networks.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Db } from "../store/postgres/db.ts";
import { pingDatabase } from "../store/postgres/ping.ts";
import type { NodeState } from "../../solana/node-state.ts";
import type { Venue } from "../../venues/venue.ts";
import type { Handlers } from "../http/handler.ts";

/** Lifetime of a cached database check in milliseconds, so that a flood of requests makes one query. */
const PING_KEPT_MS = 1_000;

/** Lifetime of a cached venue check in milliseconds, shared by all open pages. */
const HEALTH_KEPT_MS = 30_000;

type Health = Awaited<ReturnType<Venue["health"]>>;

/** Answers what this deployment offers and its health: HEAD when it is reachable, GET when it can also trade. */
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
      const askedAtMs = deps.clock.now() - HEALTH_KEPT_MS + PING_KEPT_MS;
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
    async getHealth() {
      await requireDatabase();
      return { status: "ok" as const };
    },
    headHealth: async () => null,
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
