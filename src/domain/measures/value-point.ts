/** Value of an account at a moment, after all deposits and withdrawals until then. Quote base units. */
export interface ValuePoint {
  readonly atMs: number;
  /** Null where it is unknown. */
  readonly value: bigint | null;
  /** Deposits less withdrawals since the previous point. */
  readonly flow: bigint;
}
