import type { VenueId } from "./venue-id.ts";

/** How a market is traded: with margin and both sides, or spot and long only. */
export type MarketKind = "perpetual" | "spot";

export type AssetClass = "crypto" | "stock";

/** What can be traded on a venue. `baseDecimals` says how many base units make one asset. */
export interface Market {
  readonly venue: VenueId;
  /** For instance SOL-PERP for a perpetual and SOL for the asset itself. */
  readonly marketId: string;
  readonly asset: string;
  /** Name of the asset, for instance Solana. */
  readonly assetName: string;
  readonly kind: MarketKind;
  readonly assetClass: AssetClass;
  readonly baseDecimals: number;
  /** The market's number on the venue, where it has one. */
  readonly marketIndex: number;
}

/** Decimals of every price inside: quote units with six decimals per whole asset. */
export const PRICE_DECIMALS = 6;
