import type { NetworkRuntime, Networks } from "../networks.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Db } from "../store/postgres/db.ts";
import { pingDatabase } from "../store/postgres/ping.ts";
import type { NodeState } from "../../solana/node-state.ts";
import type { Venue } from "../../venues/venue.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers of the database are believed this long, so that a flood of questions asks it once. */
const PING_KEPT_MS = 1_000;

/** Open pages ask again and again how things are; within this time they share one look at each venue. */
const HEALTH_KEPT_MS = 30_000;

type Health = Awaited<ReturnType<Venue["health"]>>;

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

  const healths = new Map<
    Venue,
    { readonly askedAtMs: number; readonly health: Promise<Health> }
  >();
  /** A venue that cannot be read takes nothing new for now, which is what paused means. */
  const healthOf = (venue: Venue): Promise<Health> => {
    const nowMs = deps.clock.now();
    const known = healths.get(venue);
    if (known !== undefined && nowMs - known.askedAtMs < HEALTH_KEPT_MS) return known.health;
    const health = venue.health().catch((): Health => {
      // Asked again soon, but not by every call: strangers make them too
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
