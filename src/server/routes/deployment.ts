import type { NetworkRuntime, Networks } from "../networks.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { Clock } from "../../domain/clock.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import type { PriceBulletin } from "../market-data/prices/price-board.ts";
import { PRICED_ASSETS, sayFault } from "../../venues/price-dialects.ts";
import type { NodeState } from "../../solana/node-record.ts";
import type { TradingPort, VenueHealth } from "../../venues/ports.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers what this deployment offers. */
export function deploymentHandlers(deps: {
  readonly clock: Clock;
  readonly networks: Networks;
  readonly aiOrigins?: readonly string[];
}) {
  const healthOf = createCachedHealth(deps.clock);

  return {
    async getDeployment() {
      const networks = [...deps.networks.values()];
      return {
        networks: await Promise.all(networks.map((runtime) => presentNetwork(runtime, healthOf))),
        aiOrigins: [...(deps.aiOrigins ?? [])],
      };
    },
  } satisfies Partial<Handlers>;
}

async function presentNetwork(
  runtime: NetworkRuntime,
  healthOf: (venue: TradingPort) => Promise<CachedHealth>,
) {
  return {
    network: runtime.network,
    explorerUrl: runtime.explorerUrl,
    nodes: (runtime.nodes?.() ?? []).map(presentNode),
    ...(runtime.livePrices === undefined
      ? {}
      : { prices: presentPrices(runtime.livePrices.bulletin()) }),
    venues: await Promise.all(
      [...runtime.venues.values()].map(async (venue) => {
        const { symbol, decimals } = venue.instance.quote;
        const { issued, ...health } = await healthOf(venue);
        return {
          venue: venue.id,
          ...health,
          quoteSymbol: symbol,
          quoteDecimals: decimals,
          ...(issued === undefined
            ? {}
            : {
                issued: issued.map(({ powers, ...token }) => ({ ...token, powers: [...powers] })),
              }),
        };
      }),
    ),
  };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Returns the newest price of each asset of live prices in its wire format. */
export function presentAssets({ prices, missing }: PriceBulletin) {
  return PRICED_ASSETS.map((asset) => {
    const newest = prices[asset];
    return {
      asset,
      price: newest === undefined ? null : formatDecimal(newest.price, PRICE_DECIMALS),
      at: newest === undefined ? null : isoOf(newest.publishedAtMs),
      sources: newest?.sources.length ?? 0,
      isConfirmed: newest?.isConfirmed === true && missing[asset] === undefined,
      missing: missing[asset] ?? (newest === undefined ? ("stale" as const) : null),
    };
  });
}

function presentPrices(bulletin: PriceBulletin) {
  return {
    assets: presentAssets(bulletin),
    sources: bulletin.sources.map(({ name, trouble }) => ({
      name,
      trouble: trouble && {
        kind: trouble.fault,
        text: sayFault(name, trouble.fault),
        since: isoOf(trouble.sinceMs),
        assets: [...trouble.assets],
      },
    })),
  };
}

function presentNode({ name, isUsed, trouble }: NodeState) {
  const shown = trouble && { kind: trouble.kind, since: new Date(trouble.sinceMs).toISOString() };
  return { name, isUsed, trouble: shown };
}

/** Time after which a venue is asked again, in milliseconds. */
const FRESH_MS = 30_000;

/** The same after it could not be read: strangers can cause these calls. */
const FAILED_MS = 1_000;

/** Age in milliseconds from which on a caller waits for a new reading, and an older one is shown with its time. */
const OLD_MS = 120_000;

/** Longest wait for a reading, in milliseconds. */
const WAIT_MS = 2_000;

/** A venue's health, with the time it was read at when that is long ago; `unread` before the first reading ended. */
interface CachedHealth extends Omit<VenueHealth, "status"> {
  readonly status: VenueHealth["status"] | "unread";
  readonly readAt?: string;
}

const UNREACHABLE: VenueHealth = {
  status: "paused",
  reason: "The venue cannot be reached at the moment.",
};

interface CachedReading {
  askAgainAtMs: number;
  reading: Promise<void> | null;
  known: { readonly health: VenueHealth; readonly readAtMs: number } | null;
}

/**
 * Returns a reader of a venue's health that does not query the chain for each caller: it is read at most once at a
 * time, on request, when the last reading is old; callers get the last reading meanwhile. A venue that cannot be read
 * accepts no orders and counts as paused; one whose first reading takes long is said to be unread.
 */
export function createCachedHealth(clock: Clock): (venue: TradingPort) => Promise<CachedHealth> {
  const keptOf = new Map<TradingPort, CachedReading>();

  const read = async (venue: TradingPort, kept: CachedReading): Promise<void> => {
    const settle = (health: VenueHealth, againMs: number) => {
      kept.known = { health, readAtMs: clock.now() };
      kept.askAgainAtMs = clock.now() + againMs;
      kept.reading = null;
    };
    await venue.health().then(
      (health) => settle(health, FRESH_MS),
      () => settle(UNREACHABLE, FAILED_MS),
    );
  };

  const ageOf = ({ known }: CachedReading): number => clock.now() - (known?.readAtMs ?? -Infinity);

  return async (venue) => {
    const kept: CachedReading = keptOf.get(venue) ?? {
      askAgainAtMs: -Infinity,
      reading: null,
      known: null,
    };
    keptOf.set(venue, kept);
    if (kept.reading === null && clock.now() >= kept.askAgainAtMs) kept.reading = read(venue, kept);
    if (kept.reading !== null && ageOf(kept) > OLD_MS) await atMost(WAIT_MS, kept.reading);
    if (kept.known === null) return { status: "unread" };
    const { health, readAtMs } = kept.known;
    return ageOf(kept) > OLD_MS ? { ...health, readAt: new Date(readAtMs).toISOString() } : health;
  };
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
