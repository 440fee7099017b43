/** Blocks after its own in which a blockhash can be used. */
export const BLOCKHASH_LIFE_BLOCKS = 150n;

/** Slots after which a block can no longer be undone. */
const FINALITY_SLOTS = 32n;

/** Returns within how many seconds of its blockhash nothing can come of a transaction any more, at a slot's length. */
export function finalExpirySeconds(slotDurationMs: number): number {
  const slots = BLOCKHASH_LIFE_BLOCKS + FINALITY_SLOTS;
  return Math.ceil((Number.parseInt(String(slots), 10) * slotDurationMs) / 1_000);
}
