import {
  type BookedEntry,
  type Held,
  type LedgerEntry,
  type LedgerMovement,
  numbered,
  type PendingEntry,
} from "./entry.ts";
import { chargeHeld, FLAT, moveHeld, realiseTrade, type Realised } from "./realise.ts";

/** Holdings by market and account, keyed by `heldKey`. */
export type HeldByMarket = ReadonlyMap<string, Held>;

/** Returns the key of the holding an entry belongs to: the same market in two exchange accounts is two positions. */
export function heldKey({ place, subAccount, base }: LedgerMovement): string | null {
  return base === undefined ? null : [place, subAccount, base.marketId].join("/");
}

/** Returns the entries of one transaction with the realised PnL of each closing, and the holdings afterwards. */
export function recordMovements(
  before: HeldByMarket,
  movements: readonly LedgerMovement[],
): { readonly entries: readonly LedgerEntry[]; readonly held: HeldByMarket } {
  const held = new Map(before);
  const entries = numbered(movements).map((movement, at): LedgerEntry => {
    const key = heldKey(movement);
    if (key === null) return { ...movement, realised: null, realisedFees: null };
    const after = afterMovement(held.get(key) ?? FLAT, movement, movements[at + 1]);
    held.set(key, after.held);
    return { ...movement, ...after };
  });
  return { entries, held };
}

/** Pending entries, oldest first, and what was held before them. */
export interface PendingBook {
  readonly before: HeldByMarket;
  readonly entries: readonly BookedEntry[];
}

/**
 * Returns pending entries, oldest first, with what each realised and left.
 *
 * The book may not know yet what others did in the account, so what an order did is taken from the order: where it opened,
 * nothing was held. A closing that what is held does not account for has an unknown result, and so has all after it
 * until the next opening.
 */
export function followPending(before: HeldByMarket, pending: readonly PendingEntry[]): PendingBook {
  const held = new Map(before);
  const entries = pending.map(({ effect, ...entry }, at): BookedEntry => {
    const key = heldKey(entry);
    if (key === null) return { ...entry, realised: null, realisedFees: null };
    const known = effect === "opens" ? FLAT : (held.get(key) ?? FLAT);
    const next = pending[at + 1];
    const fee = next?.signature === entry.signature ? next : undefined;
    const after =
      effect === "closes" && !isReduced(known, entry)
        ? { held: FLAT, realised: null, realisedFees: null }
        : afterMovement(known, entry, fee);
    held.set(key, after.held);
    return { ...entry, ...after };
  });
  return { before, entries };
}

function isReduced(held: Held, { base }: LedgerMovement): boolean {
  const left = held.base + (base?.amount ?? 0n);
  return held.base > 0n ? left >= 0n && left < held.base : left <= 0n && left > held.base;
}

type Step = Pick<LedgerMovement, "kind" | "market" | "amount" | "base">;

/**
 * Returns the holding after a movement of it. The fee of a trade is the next movement; one that names what is held, as that
 * of a trigger, is of all that is held.
 */
export function afterMovement(
  held: Held,
  { kind, market, amount, base }: Step,
  next?: Step,
): Realised {
  const moved = base?.amount ?? 0n;
  if (kind === "fee") return { held: chargeHeld(held, amount), realised: null, realisedFees: null };
  if (kind !== "trade") {
    return { held: moveHeld(held, moved), realised: null, realisedFees: null };
  }
  const hasFee = next?.kind === "fee" && next.market === market && next.base === undefined;
  return realiseTrade(held, moved, amount, hasFee ? next.amount : 0n);
}
