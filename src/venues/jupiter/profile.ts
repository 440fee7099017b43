import type { AssetClass, Market } from "../../domain/market.ts";
import type { VenueProfile } from "../../domain/venue-profile.ts";

const spot = (
  asset: string,
  assetName: string,
  assetClass: AssetClass,
  baseDecimals: number,
): Market => ({
  venue: "jupiter",
  marketId: asset,
  asset,
  assetName,
  kind: "spot",
  assetClass,
  baseDecimals,
  marketIndex: 0,
});

/** Profile of Jupiter: swaps of crypto and tokenised stocks, bought with the quote token and held in the vault. */
export const jupiter: VenueProfile = {
  label: "Jupiter",
  kind: "spot",
  sides: ["long"],
  markets: [
    spot("SOL", "Solana", "crypto", 9),
    spot("BTC", "Bitcoin", "crypto", 8),
    spot("ETH", "Ethereum", "crypto", 8),
    spot("JUP", "Jupiter", "crypto", 6),
    spot("AAPLx", "Apple", "stock", 8),
    spot("NVDAx", "NVIDIA", "stock", 8),
    spot("TSLAx", "Tesla", "stock", 8),
    spot("SPYx", "S&P 500", "stock", 8),
  ],
  quote: { symbol: "USDC", decimals: 6 },
  hasSpendingLimits: true,
  keepsStops: false,
};
