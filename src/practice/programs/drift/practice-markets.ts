/** Settings of one of the practice exchange's perpetual markets. */
export interface PracticeMarketSettings {
  readonly asset: string;
  readonly marketIndex: number;
  /** Id of Pyth's price feed, hexadecimal. */
  readonly feedId: string;
  /** Step of an order's base amount, nine decimals, and tick of its price, six decimals. */
  readonly orderStepSize: bigint;
  readonly orderTickSize: bigint;
  /** Half of the spread around the oracle price, in millionths. */
  readonly halfSpread: number;
  /** In ten-thousandths. */
  readonly marginRatioInitial: number;
  readonly marginRatioMaintenance: number;
}

/** Steps, ticks and margin ratios follow Drift v2's main markets; 5x initial leverage everywhere. */
export const PRACTICE_MARKETS: readonly PracticeMarketSettings[] = [
  {
    asset: "SOL",
    marketIndex: 0,
    feedId: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
    orderStepSize: 10_000_000n,
    orderTickSize: 100n,
    halfSpread: 250,
    marginRatioInitial: 2_000,
    marginRatioMaintenance: 1_000,
  },
  {
    asset: "BTC",
    marketIndex: 1,
    feedId: "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43",
    orderStepSize: 100_000n,
    orderTickSize: 100_000n,
    halfSpread: 150,
    marginRatioInitial: 2_000,
    marginRatioMaintenance: 1_000,
  },
  {
    asset: "ETH",
    marketIndex: 2,
    feedId: "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace",
    orderStepSize: 1_000_000n,
    orderTickSize: 10_000n,
    halfSpread: 200,
    marginRatioInitial: 2_000,
    marginRatioMaintenance: 1_000,
  },
];
