/** Largest number of compute units per transaction. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/**
 * Highest unit price our fee payer accepts, in micro-lamports per compute unit: at most 280,000 lamports per
 * transaction.
 */
export const MAX_UNIT_PRICE_MICRO_LAMPORTS = 200_000n;
