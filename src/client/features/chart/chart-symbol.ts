/** Asset of a chart without an agent. Spec: agents §9 */
const DEFAULT_ASSET = "SOL";

/** Asset an agent's pair trades: SOL-PERP and SOL both trade SOL. */
export function assetOf(assetPair: string | undefined): string {
  const asset = assetPair?.replace(/-PERP$/, "") ?? "";
  return asset === "" ? DEFAULT_ASSET : asset;
}
