const NAMES: Readonly<Record<string, string>> = {
  SOL: "Solana",
  BTC: "Bitcoin",
  ETH: "Ethereum",
  JUP: "Jupiter",
  AAPLx: "Apple",
  NVDAx: "NVIDIA",
  TSLAx: "Tesla",
  SPYx: "S&P 500",
};

/** Returns what an asset is called, or its symbol where it has no other name here. */
export const assetName = (asset: string): string =>
  Object.hasOwn(NAMES, asset) ? (NAMES[asset] ?? asset) : asset;
