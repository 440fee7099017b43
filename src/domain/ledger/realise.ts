import type { Held } from "./entry.ts";

const FLAT: Held = { base: 0n, cost: 0n };

/** What is held after a trade, and what the part of it that closed earned before fees; null where nothing closed. */
export interface Realised {
  readonly held: Held;
  readonly realised: bigint | null;
}

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/**
 * Returns what a trade of `base` for `quote` leaves, at average cost: the cost is divided by the sizes and cut towards zero,
 * as the exchange's program does it.
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

/** Returns what is left when some of what is held moves without being traded; what comes that way has an unknown cost. */
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
