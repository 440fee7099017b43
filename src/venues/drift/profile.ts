import type { Market } from "../../domain/market.ts";
import type { VenueProfile } from "../../domain/venue-profile.ts";

/** Decimals of a perpetual's base amount. */
export const PERP_BASE_DECIMALS = 9;

const perpetual = (asset: string, assetName: string, marketIndex: number): Market => ({
  venue: "drift",
  marketId: `${asset}-PERP`,
  asset,
  assetName,
  kind: "perpetual",
  assetClass: "crypto",
  baseDecimals: PERP_BASE_DECIMALS,
  marketIndex,
});

/** Profile of Drift: perpetuals on crypto, with margin and both sides. */
export const drift: VenueProfile = {
  label: "Drift",
  kind: "perpetual",
  sides: ["long", "short"],
  markets: [
    perpetual("SOL", "Solana", 0),
    perpetual("BTC", "Bitcoin", 1),
    perpetual("ETH", "Ethereum", 2),
  ],
  quote: { symbol: "USDC", decimals: 6 },
  hasSpendingLimits: false,
  keepsStops: true,
  deletionByHand:
    "Subaccount deletion failed. Please delete manually through Drift UI to recover 0.003 SOL rent.",
};
