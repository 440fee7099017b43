/** What an account was worth at a moment, after everything that moved money in or out until then. Quote base units. */
export interface ValuePoint {
  readonly atMs: number;
  /** Null where it could not be known. */
  readonly value: bigint | null;
  /** What came in less what went out since the point before. */
  readonly flow: bigint;
}
