import type { TransactionOutcome } from "../../solana/chain.ts";
import type { OwnerActivity, VenueAccount } from "../venue.ts";
import { priceOf } from "./amounts.ts";
import type { JupiterInstance } from "./instance.ts";

/** Returns the owner's sales inside the vault and transfers from it to the owner's wallet in a landed transaction. */
export function ownerActivityOf(
  instance: JupiterInstance,
  { vault, owner }: VenueAccount,
  outcome: TransactionOutcome,
): readonly OwnerActivity[] {
  if (outcome.error !== null) return [];
  const change = (holder: string, mint: string): bigint =>
    outcome.tokenDeltas
      .filter((moved) => moved.mint === mint && moved.owner === holder)
      .reduce((sum, { delta }) => sum + delta, 0n);
  const gained = change(vault, instance.quote.mint);
  return instance.assets.flatMap((asset): OwnerActivity[] => {
    const { marketId, mint } = asset;
    const baseSize = -change(vault, mint);
    if (baseSize <= 0n) return [];
    if (gained > 0n) {
      const fill = {
        price: priceOf(asset, baseSize, gained),
        baseSize,
        quoteSize: gained,
        fee: 0n,
      };
      return [{ kind: "trade", marketId, side: "sell", fill }];
    }
    return change(owner, mint) === baseSize ? [{ kind: "transfer", marketId, baseSize }] : [];
  });
}
