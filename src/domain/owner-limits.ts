/** Limits an owner sets for one agent; null means no limit. They block entries, never an exit. */
export interface OwnerLimits {
  /** Largest realised loss of a UTC day, in basis points of the account at its start. */
  readonly dayLossBps: number | null;
  /**
   * Largest drawdown of the account's value from its peak, adjusted for deposits and withdrawals, in basis points of
   * the peak.
   */
  readonly fallBps: number | null;
  /** Entries per UTC day. */
  readonly tradesPerDay: number | null;
  /** Losing trades in a row after which the agent pauses. */
  readonly lossesInRow: number | null;
  /**
   * Largest share of the value of all the wallet's agents on the network that may be in the agent's asset, in basis
   * points.
   */
  readonly assetShareBps: number | null;
}

/** Bounds of each limit; a daily loss above 10 % is denied for every agent anyway. */
export const OWNER_LIMIT_RANGES = {
  dayLossBps: { least: 10, most: 1_000 },
  fallBps: { least: 100, most: 9_000 },
  tradesPerDay: { least: 1, most: 500 },
  lossesInRow: { least: 1, most: 50 },
  assetShareBps: { least: 100, most: 10_000 },
} as const satisfies Record<keyof OwnerLimits, { readonly least: number; readonly most: number }>;

/** Names of all limits, in the order they are shown. */
export const OWNER_LIMIT_NAMES = Object.keys(
  OWNER_LIMIT_RANGES,
) as readonly (keyof typeof OWNER_LIMIT_RANGES)[];

/** Returns the names of the limits that the second set loosens. */
export function loosenedLimits(
  before: OwnerLimits,
  after: OwnerLimits,
): readonly (keyof OwnerLimits)[] {
  return OWNER_LIMIT_NAMES.filter((name) => {
    const [from, to] = [before[name], after[name]];
    return from !== null && (to === null || to > from);
  });
}

/** Returns a complete set of limits; a limit that is not given is not set. */
export const toOwnerLimits = (
  given: Partial<Record<keyof OwnerLimits, number | null | undefined>>,
): OwnerLimits => ({
  dayLossBps: given.dayLossBps ?? null,
  fallBps: given.fallBps ?? null,
  tradesPerDay: given.tradesPerDay ?? null,
  lossesInRow: given.lossesInRow ?? null,
  assetShareBps: given.assetShareBps ?? null,
});
