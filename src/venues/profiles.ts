import type { Market, MarketKind } from "../domain/market.ts";
import type { Network } from "../domain/network.ts";
import { type VenueId, VENUE_IDS } from "../domain/venue-id.ts";
import type { VenueProfiles } from "../domain/venue-profile.ts";
import { drift } from "./drift/profile.ts";
import { jupiter } from "./jupiter/profile.ts";

/** Profiles of all venues. A new venue adds its profile here. */
export const VENUE_PROFILES: VenueProfiles = { drift, jupiter };

/** Listed in the venue select but never selectable. */
export const COMING_SOON_VENUES = ["MarginFi", "Kamino", "DyDx"] as const;

/** Returns every market an agent can be set to, on all venues. */
export const allMarkets = (): readonly Market[] =>
  VENUE_IDS.flatMap((venue) => VENUE_PROFILES[venue].markets);

/** Assets of all venues, for instance SOL; each has candles. */
export const ASSETS: ReadonlySet<string> = new Set(allMarkets().map(({ asset }) => asset));

/** Returns the venue's market of that name, or undefined when the venue was removed or does not trade it. */
export function findMarket(venue: VenueId | null, marketId: string): Market | undefined {
  if (venue === null) return undefined;
  return VENUE_PROFILES[venue].markets.find((market) => market.marketId === marketId);
}

/** What an owner reads of an asset that has no price on a network. */
export const UNPRICED =
  "That asset has no price on this network, so nothing could be traded. On Practice it has one.";

/** Returns whether a market has prices on a network: tokenised stocks have them at the made-up market alone. */
export const isPriced = ({ assetClass }: Market, network: Network): boolean =>
  assetClass === "crypto" || network === "practice";

/** Decimals of a market's amounts; both null where the market is unknown. */
export interface Scales {
  readonly baseDecimals: number | null;
  readonly quoteDecimals: number | null;
}

/**
 * Returns the decimals of a market's amounts, which are the same on every network whether or not it is enabled here.
 */
export function scalesOf(venue: VenueId | null, marketId: string): Scales {
  const market = findMarket(venue, marketId);
  if (market === undefined) return { baseDecimals: null, quoteDecimals: null };
  return {
    baseDecimals: market.baseDecimals,
    quoteDecimals: VENUE_PROFILES[market.venue].quote.decimals,
  };
}

const namedMarket = (marketId: string): Market | undefined =>
  allMarkets().find((market) => market.marketId === marketId);

/** Returns the kind of a market: a market name has the same kind on every venue. Undefined for an unknown market. */
export const kindOf = (marketId: string): MarketKind | undefined => namedMarket(marketId)?.kind;

/** Returns the asset of a market, for instance SOL of SOL-PERP; the name itself for an unknown market. */
export const assetOf = (marketId: string): string => namedMarket(marketId)?.asset ?? marketId;

/** Returns the name of an asset, or its symbol where no market has it. */
export const assetName = (asset: string): string =>
  allMarkets().find((market) => market.asset === asset)?.assetName ?? asset;

/** Returns the candle sources' symbol of an asset, for instance SOLUSDT. */
export const symbolOf = (asset: string): string => `${asset.toUpperCase()}USDT`;
