import type { Held } from "./entry.ts";

const FLAT: Held = { base: 0n, cost: 0n };

/** The holding after a trade and the realised PnL of the closed part before fees; null where nothing closed. */
export interface Realised {
  readonly held: Held;
  readonly realised: bigint | null;
}

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/**
 * Returns the holding after trading `base` for `quote`, at average cost: the cost is split by size and truncated
 * towards zero, as the exchange's program does.
 */
export function realiseTrade(held: Held, base: bigint, quote: bigint): Realised {
  const after = held.base + base;
  if (held.base === 0n) return { held: { base: after, cost: quote }, realised: null };
  if (held.base > 0n === base > 0n) {
    return {
      held: { base: after, cost: held.cost === null ? null : held.cost + quote },
      realised: null,
    };
  }
  const isTurned = size(base) > size(held.base);
  const opened = isTurned ? quote - (quote * size(held.base)) / size(base) : 0n;
  const closing = quote - opened;
  const gone = isTurned ? held.cost : shareOf(held.cost, size(base), size(held.base));
  const realised = gone === null ? null : gone + closing;
  if (after === 0n) return { held: FLAT, realised };
  if (isTurned) return { held: { base: after, cost: opened }, realised };
  const left = held.cost === null || gone === null ? null : held.cost - gone;
  return { held: { base: after, cost: left }, realised };
}

/**
 * Returns the holding after part of it moved without being traded; assets that arrive this way have an unknown cost.
 */
export function moveHeld(held: Held, base: bigint): Held {
  const after = held.base + base;
  if (after === 0n) return FLAT;
  const isLeaving =
    held.base !== 0n && held.base > 0n !== base > 0n && after > 0n === held.base > 0n;
  const gone = isLeaving ? shareOf(held.cost, size(base), size(held.base)) : null;
  return { base: after, cost: gone === null || held.cost === null ? null : held.cost - gone };
}

function shareOf(cost: bigint | null, part: bigint, whole: bigint): bigint | null {
  return cost === null ? null : (cost * part) / whole;
}
