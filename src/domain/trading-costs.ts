/** What trading one market costs. Shares are whole millionths (ppm): 350 is 0.035 %. Sizes are base units. */
export interface TradingCosts {
  /** Taker fee, of what is traded. */
  readonly feePpm: number;
  /** Distance of the price one trades at from the middle, of the price. */
  readonly halfSpreadPpm: number;
  /** How far an order of 10,000 whole quote units moves its own price on average, of the price; grows with the size. */
  readonly impactPpm: number;
  /** What a long pays a short per day, of the position's value; negative where shorts pay. Perpetuals only. */
  readonly fundingPpmPerDay: number;
  /** Share of a position's value that has to be left of the money, else the venue closes it. Perpetuals only. */
  readonly maintenancePpm: number;
  /** Smallest entry, and the step sizes are rounded down to. */
  readonly minBaseSize: bigint;
  readonly baseStep: bigint;
}

/** Costs as a venue tells them, and in a few words where each figure is from. */
export interface KnownTradingCosts extends TradingCosts {
  readonly sources: {
    readonly fee: string;
    readonly spread: string;
    readonly impact: string;
    readonly funding: string;
    readonly minimum: string;
  };
}
