import { assetOf } from "../../../venues/profiles.ts";

/** Asset of a chart without an agent. */
const DEFAULT_ASSET = "SOL";

/** Returns the asset of a market, for instance SOL for SOL-PERP. */
export function chartAsset(marketId: string | undefined): string {
  return marketId === undefined || marketId === "" ? DEFAULT_ASSET : assetOf(marketId);
}
