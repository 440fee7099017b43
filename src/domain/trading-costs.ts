/** Trading costs of one market. Shares are whole millionths (ppm): 350 is 0.035 %. Sizes are base units. */
export interface TradingCosts {
  /** Taker fee as a share of the notional. */
  readonly feePpm: number;
  /** Half of the bid-ask spread as a share of the price. */
  readonly halfSpreadPpm: number;
  /** Average price impact of an order of 10,000 whole quote units as a share of the price; it grows with the size. */
  readonly impactPpm: number;
  /**
   * Funding a long pays a short per day as a share of the position's value; negative where shorts pay. Perpetuals only.
   */
  readonly fundingPpmPerDay: number;
  /** Maintenance margin as a share of the position's value; below it the venue liquidates. Perpetuals only. */
  readonly maintenancePpm: number;
  /** Smallest entry size, and the step that sizes are rounded down to. */
  readonly minBaseSize: bigint;
  readonly baseStep: bigint;
}

/** Trading costs as a venue reports them, with a short note on the source of each figure. */
export interface KnownTradingCosts extends TradingCosts {
  readonly sources: {
    readonly fee: string;
    readonly spread: string;
    readonly impact: string;
    readonly funding: string;
    readonly minimum: string;
  };
}
