/** Number of blocks after its own in which a blockhash is valid. */
export const BLOCKHASH_LIFE_BLOCKS = 150n;

/** Slots after which a block can no longer be undone. */
const FINALITY_SLOTS = 32n;

/**
 * Returns the number of seconds after its blockhash from which a transaction can no longer land, for a slot duration.
 */
export function finalExpirySeconds(slotDurationMs: number): number {
  const slots = BLOCKHASH_LIFE_BLOCKS + FINALITY_SLOTS;
  return Math.ceil((Number.parseInt(String(slots), 10) * slotDurationMs) / 1_000);
}
