import type { Held, LedgerEntry, LedgerKind, LedgerMovement } from "./entry.ts";
import { moveHeld, realiseTrade } from "./realise.ts";

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
  const counted = new Map<LedgerKind, number>();
  const entries = movements.map((movement): LedgerEntry => {
    const index = counted.get(movement.kind) ?? 0;
    counted.set(movement.kind, index + 1);
    const key = heldKey(movement);
    if (key === null || movement.base === undefined) return { ...movement, index, realised: null };
    const known = held.get(key) ?? { base: 0n, cost: 0n };
    const after =
      movement.kind === "trade"
        ? realiseTrade(known, movement.base.amount, movement.amount)
        : { held: moveHeld(known, movement.base.amount), realised: null };
    held.set(key, after.held);
    return { ...movement, index, realised: after.realised, held: after.held };
  });
  return { entries, held };
}
