import type { Market, MarketKind } from "../domain/market.ts";
import { type VenueId, VENUE_IDS } from "../domain/venue-id.ts";
import type { VenueProfiles } from "../domain/venue-profile.ts";
import { drift } from "./drift/profile.ts";
import { jupiter } from "./jupiter/profile.ts";

/** Every venue's profile. A new venue is a line here. */
export const VENUE_PROFILES: VenueProfiles = { drift, jupiter };

/** Listed in the venue select but never selectable. */
export const COMING_SOON_VENUES = ["MarginFi", "Kamino", "DyDx"] as const;

/** Returns every market an agent can be set to, by venue. */
export const allMarkets = (): readonly Market[] =>
  VENUE_IDS.flatMap((venue) => VENUE_PROFILES[venue].markets);

/** Returns the venue's market of that name, or undefined when the venue is gone or does not trade it. */
export function findMarket(venue: VenueId | null, marketId: string): Market | undefined {
  if (venue === null) return undefined;
  return VENUE_PROFILES[venue].markets.find((market) => market.marketId === marketId);
}

/** How many decimals the amounts of a market have; null in both where the market is not known. */
export interface Scales {
  readonly baseDecimals: number | null;
  readonly quoteDecimals: number | null;
}

/** Returns the decimals of a market's amounts, the same on every network and whether or not one is enabled here. */
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

/** Returns how a market is traded: its name is of one kind on every venue that has it. Undefined for an unknown one. */
export const kindOf = (marketId: string): MarketKind | undefined => namedMarket(marketId)?.kind;

/** Returns the asset a market is of, for instance SOL of SOL-PERP; a market that is not known is its own. */
export const assetOf = (marketId: string): string => namedMarket(marketId)?.asset ?? marketId;

/** Returns what an asset is called, or its symbol where no market has it. */
export const assetName = (asset: string): string =>
  allMarkets().find((market) => market.asset === asset)?.assetName ?? asset;
