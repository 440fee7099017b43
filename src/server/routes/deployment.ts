import type { NetworkRuntime, Networks } from "../networks.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { Clock } from "../../domain/clock.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import type { PriceBulletin } from "../market-data/prices/price-board.ts";
import { PAPER_ASSETS } from "../market-data/prices/price-dialects.ts";
import type { NodeState } from "../../solana/node-record.ts";
import type { TradingPort } from "../../venues/ports.ts";
import type { Handlers } from "../http/handler.ts";
import { createCachedHealth, type CachedHealth } from "./cached-venue-health.ts";

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
  return PAPER_ASSETS.map((asset) => {
    const newest = prices[asset];
    return {
      asset,
      price: newest === undefined ? null : formatDecimal(newest.price, PRICE_DECIMALS),
      at: newest === undefined ? null : isoOf(newest.publishedAtMs),
      sources: newest?.sources.length ?? 0,
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
