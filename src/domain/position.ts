/** Which way an exposure or an order goes. */
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
  readonly positionValue: bigint;
}

/** The trading key's limit of the day, where it lets through less than the account has. Amounts in quote base units. */
export interface CollateralBound {
  readonly by: "limit_missing" | "limit_used";
  /** What would back new exposure without the limit. */
  readonly funds: bigint;
}

/** What a venue holds for one agent, all amounts in quote base units. */
export interface AccountState {
  /** Slot the figures were read at. */
  readonly slot: bigint;
  readonly subAccountExists: boolean;
  readonly positions: readonly Position[];
  readonly openOrderCount: number;
  /** What may back new exposure; never negative. */
  readonly freeCollateral: bigint;
  /** What keeps money of the account from backing new exposure; absent where nothing does. */
  readonly bound?: CollateralBound;
  /** Everything the account is worth now: collateral plus unrealized PnL. */
  readonly portfolioValue: bigint;
  /** What may leave now, margin considered; never negative. */
  readonly withdrawable: bigint;
  /** Net deposits: what came in less what went out. */
  readonly netDeposits: bigint;
  /** 0 (bust) to 100 (no margin used). */
  readonly health: number;
}
