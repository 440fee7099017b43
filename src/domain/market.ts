import type { VenueId } from "./venue-id.ts";

/** How a market is traded: with margin and both sides, or spot and long only. */
export type MarketKind = "perpetual" | "spot";

export type AssetClass = "crypto" | "stock";

/** What can be traded on a venue. `baseDecimals` says how many base units make one asset. */
export interface Market {
  readonly venue: VenueId;
  /** Wire name: assetPair, for instance SOL-PERP on drift and SOL on jupiter. */
  readonly marketId: string;
  readonly asset: string;
  readonly kind: MarketKind;
  readonly assetClass: AssetClass;
  readonly baseDecimals: number;
  /** The market's number on the venue, where it has one. */
  readonly marketIndex: number;
}

/** Decimals of a perpetual's base amount and of oracle prices on Drift: 1e9 and 1e6. */
export const PERP_BASE_DECIMALS = 9;

/** Decimals of every price inside: quote units with six decimals per whole asset. */
export const PRICE_DECIMALS = 6;

const perpetual = (asset: string, marketIndex: number): Market => ({
  venue: "drift",
  marketId: `${asset}-PERP`,
  asset,
  kind: "perpetual",
  assetClass: "crypto",
  baseDecimals: PERP_BASE_DECIMALS,
  marketIndex,
});

const spot = (asset: string, assetClass: AssetClass, baseDecimals: number): Market => ({
  venue: "jupiter",
  marketId: asset,
  asset,
  kind: "spot",
  assetClass,
  baseDecimals,
  marketIndex: 0,
});

/** Every market an agent can be set to, in the order of the asset select. */
export const MARKETS: readonly Market[] = [
  perpetual("SOL", 0),
  perpetual("BTC", 1),
  perpetual("ETH", 2),
  spot("SOL", "crypto", 9),
  spot("BTC", "crypto", 8),
  spot("ETH", "crypto", 8),
  spot("JUP", "crypto", 6),
  spot("AAPLx", "stock", 8),
  spot("NVDAx", "stock", 8),
  spot("TSLAx", "stock", 8),
  spot("SPYx", "stock", 8),
];

/** Market of an agent that names none. Spec: workspace §9 */
export const DEFAULT_MARKET_ID = "SOL-PERP";

/** Returns the venue's market of that name, or undefined when the venue does not trade it. */
export function findMarket(venue: VenueId, marketId: string): Market | undefined {
  return MARKETS.find((market) => market.venue === venue && market.marketId === marketId);
}

/** Returns what the venue trades, in select order. */
export function marketsOf(venue: VenueId): readonly Market[] {
  return MARKETS.filter((market) => market.venue === venue);
}

/** Returns how a market is traded: its name is of one kind on every venue that has it. Undefined for an unknown one. */
export const kindOf = (marketId: string): MarketKind | undefined =>
  MARKETS.find((market) => market.marketId === marketId)?.kind;

/** Returns the asset a market is of, for instance SOL of SOL-PERP; a market that is not known is its own. */
export const assetOf = (marketId: string): string =>
  MARKETS.find((market) => market.marketId === marketId)?.asset ?? marketId;
