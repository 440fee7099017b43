/** Asset of a chart without an agent. Spec: agents §9 */
const DEFAULT_ASSET = "SOL";

/** Asset an agent's pair trades: SOL-PERP and SOL both trade SOL. */
export function assetOf(marketId: string | undefined): string {
  const asset = marketId?.replace(/-PERP$/, "") ?? "";
  return asset === "" ? DEFAULT_ASSET : asset;
}
