import { assetOf } from "../../../venues/profiles.ts";

/** Asset of a chart without an agent. */
const DEFAULT_ASSET = "SOL";

/** Asset of the chart: SOL-PERP and SOL both trade SOL. */
export function chartAsset(marketId: string | undefined): string {
  return marketId === undefined || marketId === "" ? DEFAULT_ASSET : assetOf(marketId);
}
