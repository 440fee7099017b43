import type { Held, LedgerEntry, LedgerKind, LedgerMovement } from "./entry.ts";
import { FLAT, moveHeld, realiseTrade, type Realised } from "./realise.ts";

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
  const entries = movements.map((movement, at): LedgerEntry => {
    const index = counted.get(movement.kind) ?? 0;
    counted.set(movement.kind, index + 1);
    const key = heldKey(movement);
    if (key === null) return { ...movement, index, realised: null, realisedFees: null };
    const after = afterMovement(held.get(key) ?? FLAT, movement, movements[at + 1]);
    held.set(key, after.held);
    return { ...movement, index, ...after };
  });
  return { entries, held };
}

type Step = Pick<LedgerMovement, "kind" | "market" | "amount" | "base">;

/** Returns the holding after a movement of it; the fee of a trade is the next movement. */
export function afterMovement(
  held: Held,
  { kind, market, amount, base }: Step,
  next?: Step,
): Realised {
  const moved = base?.amount ?? 0n;
  if (kind !== "trade") {
    return { held: moveHeld(held, moved), realised: null, realisedFees: null };
  }
  const hasFee = next?.kind === "fee" && next.market === market;
  return realiseTrade(held, moved, amount, hasFee ? next.amount : 0n);
}
