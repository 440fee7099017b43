/** PnL of one closing trade: `entry` is the cost, or the proceeds, of the closed part. Quote base units. */
export interface ClosedPnl {
  readonly pnl: bigint;
  readonly entry: bigint;
}
