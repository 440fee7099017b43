import type { Held } from "./entry.ts";

export const FLAT: Held = { base: 0n, cost: 0n, fees: 0n };

/** The holding after a trade, and what its closed part earned. */
export interface Realised {
  readonly held: Held;
  /** PnL before fees; null where nothing closed or the cost is unknown. */
  readonly realised: bigint | null;
  /** Fees of both sides of the closed part; null where nothing closed or they are unknown. */
  readonly realisedFees: bigint | null;
}

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/**
 * Returns the holding after trading `base` for `quote` and `fee`, at average cost: cost and fees are split by size and
 * truncated towards zero, as the exchange's program does.
 *
 * This is the product's only computation of profit, for booked, pending and simulated trades.
 */
export function realiseTrade(held: Held, base: bigint, quote: bigint, fee: bigint): Realised {
  const after = held.base + base;
  if (held.base === 0n || held.base > 0n === base > 0n) {
    const before = held.base === 0n ? FLAT : held;
    const grown = { base: after, cost: sum(before.cost, quote), fees: sum(before.fees, fee) };
    return { held: grown, realised: null, realisedFees: null };
  }
  const isTurned = size(base) > size(held.base);
  const opened = {
    base: after,
    cost: isTurned ? quote - (quote * size(held.base)) / size(base) : 0n,
    fees: isTurned ? fee - (fee * size(held.base)) / size(base) : 0n,
  };
  const gone = isTurned ? held : partOf(held, size(base));
  return {
    held: isTurned ? opened : without(held, gone, after),
    realised: sum(gone.cost, quote - opened.cost),
    realisedFees: sum(gone.fees, fee - opened.fees),
  };
}

/**
 * Returns the holding after part of it moved without being traded; assets that arrive this way have an unknown cost.
 */
export function moveHeld(held: Held, base: bigint): Held {
  const after = held.base + base;
  if (after === 0n) return FLAT;
  const isLeaving =
    held.base !== 0n && held.base > 0n !== base > 0n && after > 0n === held.base > 0n;
  if (!isLeaving) return { base: after, cost: null, fees: null };
  return without(held, partOf(held, size(base)), after);
}

/** Returns the holding after a fee that no trade of it had. */
export const chargeHeld = (held: Held, fee: bigint): Held =>
  held.base === 0n ? FLAT : { ...held, fees: sum(held.fees, fee) };

/** One trade of a position, in order, with its fee and what was held after it. */
export interface PositionTrade {
  /** Unix milliseconds of its block. */
  readonly atMs: number;
  readonly base: bigint;
  readonly fee: bigint;
  readonly held: Held;
}

/**
 * Returns the fees of closed parts that an exchange counts to what is still held, negative where they were paid: its
 * program adds the fee of every trade to the cost of the rest and takes it out with the next part, by size.
 */
export function exitFeesOfRest(trades: readonly PositionTrade[]): bigint {
  let [before, fees] = [0n, 0n];
  for (const { base, fee, held } of trades) {
    const isClosing = before !== 0n && before > 0n !== base > 0n;
    if (held.base === 0n) fees = 0n;
    else if (isClosing && size(base) > size(before)) fees = fee - (held.fees ?? 0n);
    else if (isClosing) fees += fee - (fees * size(base)) / size(before);
    before = held.base;
  }
  return fees;
}

type Paid = Pick<Held, "cost" | "fees">;

const sum = (one: bigint | null, other: bigint): bigint | null =>
  one === null ? null : one + other;

/** Returns what was paid for part of a holding. */
const partOf = ({ base, cost, fees }: Held, part: bigint): Paid => ({
  cost: cost === null ? null : (cost * part) / size(base),
  fees: fees === null ? null : (fees * part) / size(base),
});

/** Returns what is left of a holding. */
function without({ cost, fees }: Held, gone: Paid, base: bigint): Held {
  if (base === 0n) return FLAT;
  return { base, cost: sum(cost, -(gone.cost ?? 0n)), fees: sum(fees, -(gone.fees ?? 0n)) };
}
