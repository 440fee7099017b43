/** Direction of a position or an order. */
export type Side = "long" | "short";

/**
 * Net exposure in one market. `baseSize` is positive base units, `entryPrice` is in quote units with six decimals
 * per whole asset; PnL is in quote base units and includes fees and funding.
 */
export interface Position {
  readonly marketId: string;
  readonly side: Side;
  readonly baseSize: bigint;
  readonly entryPrice: bigint;
  readonly unrealizedPnl: bigint;
  /** Fees of opening what is held, which the PnL includes; negative when paid. Absent where none are known. */
  readonly entryFees?: bigint;
  readonly positionValue: bigint;
  /** What it cost is not known, of a gift for instance: entry price and PnL tell nothing. */
  readonly isCostUnknown?: true;
  /**
   * Price at which the venue may liquidate the account if no other price moves; null where no price of this market does.
   * Absent where the venue liquidates nothing or the price is not known exactly.
   */
  readonly liquidationPrice?: bigint | null;
  /** Funding this size received in the venue's last funding period, an hour; negative when paid. Absent without funding. */
  readonly fundingPerHour?: bigint;
}

/** The trading key's daily limit where it is lower than the account's funds. Amounts in quote base units. */
export interface CollateralBound {
  readonly by: "limit_missing" | "limit_used";
  /** Collateral available for new exposure without the limit. */
  readonly funds: bigint;
  /** Whether a trade has drawn from the limit today; false where the whole limit is lower than the funds. */
  readonly isDrawn: boolean;
}

/** State of one agent's account at a venue, all amounts in quote base units. */
export interface AccountState {
  /** Slot the figures were read at. */
  readonly slot: bigint;
  readonly subAccountExists: boolean;
  readonly positions: readonly Position[];
  /** Open orders other than our own protective ones, which wait for their price. */
  readonly openOrderCount: number;
  /** Collateral available for new exposure; never negative. */
  readonly freeCollateral: bigint;
  /** The limit that reduces `freeCollateral`; absent where none does. */
  readonly bound?: CollateralBound;
  /**
   * Quote tokens in the account, less what trades of open positions have cost: what deposits, trades and fees add up to
   * at any price. Absent where the venue does not tell it.
   */
  readonly cash?: bigint;
  /** Total value of the account: collateral plus unrealized PnL. */
  readonly portfolioValue: bigint;
  /** Amount that can be withdrawn now, margin considered; never negative. */
  readonly withdrawable: bigint;
  /** Total deposits less total withdrawals. */
  readonly netDeposits: bigint;
  /** 0 (bust) to 100 (no margin used). */
  readonly health: number;
  /** Largest leverage that the account is set to take orders of; absent: it has no such setting. */
  readonly leverage?: number | undefined;
}

/** PnL of one closing trade: `entry` is the cost, or the proceeds, of the closed part. Quote base units. */
export interface ClosedPnl {
  readonly pnl: bigint;
  readonly entry: bigint;
}
