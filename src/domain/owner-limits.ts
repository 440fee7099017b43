/** Limits an owner sets for one agent; null where there is none. They hold back entries, never an exit. */
export interface OwnerLimits {
  /** Largest realised loss of a UTC day, in basis points of the account at its start. */
  readonly dayLossBps: number | null;
  /** Largest fall of the account's value from its peak, flows removed, in basis points of the peak. */
  readonly fallBps: number | null;
  /** Entries of a UTC day. */
  readonly tradesPerDay: number | null;
  /** Losing trades in a row after which the agent pauses. */
  readonly lossesInRow: number | null;
  /** Most of the money of all the wallet's agents on the network that may be in the agent's asset, in basis points. */
  readonly assetShareBps: number | null;
}

/** The limits of an agent whose owner has set none. */
export const NO_OWNER_LIMITS: OwnerLimits = {
  dayLossBps: null,
  fallBps: null,
  tradesPerDay: null,
  lossesInRow: null,
  assetShareBps: null,
};

/** Least and most each can be set to; a larger daily loss than 10 % is refused for every agent anyway. */
export const OWNER_LIMIT_RANGES = {
  dayLossBps: { least: 10, most: 1_000 },
  fallBps: { least: 100, most: 9_000 },
  tradesPerDay: { least: 1, most: 500 },
  lossesInRow: { least: 1, most: 50 },
  assetShareBps: { least: 100, most: 10_000 },
} as const satisfies Record<keyof OwnerLimits, { readonly least: number; readonly most: number }>;

/** Every limit's name, in the order they are shown. */
export const OWNER_LIMIT_NAMES = Object.keys(
  OWNER_LIMIT_RANGES,
) as readonly (keyof typeof OWNER_LIMIT_RANGES)[];

/** Returns the names of the limits that let more through after than before. */
export function loosenedLimits(
  before: OwnerLimits,
  after: OwnerLimits,
): readonly (keyof OwnerLimits)[] {
  return OWNER_LIMIT_NAMES.filter((name) => {
    const [from, to] = [before[name], after[name]];
    return from !== null && (to === null || to > from);
  });
}

/** Returns limits of which some are not given: those are not set. */
export const toOwnerLimits = (
  given: Partial<Record<keyof OwnerLimits, number | null | undefined>>,
): OwnerLimits => ({
  dayLossBps: given.dayLossBps ?? null,
  fallBps: given.fallBps ?? null,
  tradesPerDay: given.tradesPerDay ?? null,
  lossesInRow: given.lossesInRow ?? null,
  assetShareBps: given.assetShareBps ?? null,
});
