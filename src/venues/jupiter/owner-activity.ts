import type { TransactionOutcome } from "../../solana/chain.ts";
import type { ExternalActivity, OwnerActivity } from "../ports.ts";
import type { VenueAccount } from "../venue.ts";
import { priceOf } from "./amounts.ts";
import type { JupiterInstance } from "./instance.ts";

const change = ({ tokenDeltas }: TransactionOutcome, holder: string, mint: string): bigint =>
  tokenDeltas
    .filter((moved) => moved.mint === mint && moved.owner === holder)
    .reduce((sum, { delta }) => sum + delta, 0n);

/** Classifies a foreign transaction: tokens that left the vault for another wallet than the owner's are a trade. */
export function classifyExternalOf(
  instance: JupiterInstance,
  { vault, owner }: VenueAccount,
  outcome: TransactionOutcome,
): ExternalActivity {
  const isDrawn = [instance.quote, ...instance.assets].some(({ mint }) => {
    const lost = -change(outcome, vault, mint);
    return lost > 0n && change(outcome, owner, mint) < lost;
  });
  return { kind: isDrawn ? "trade" : "unknown", fills: new Map() };
}

/** Returns the owner's sales inside the vault and transfers from it to the owner's wallet in a landed transaction. */
export function ownerActivityOf(
  instance: JupiterInstance,
  { vault, owner }: VenueAccount,
  outcome: TransactionOutcome,
): readonly OwnerActivity[] {
  if (outcome.error !== null) return [];
  const gained = change(outcome, vault, instance.quote.mint);
  return instance.assets.flatMap((asset): OwnerActivity[] => {
    const { marketId, mint } = asset;
    const baseSize = -change(outcome, vault, mint);
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
    return change(outcome, owner, mint) === baseSize
      ? [{ kind: "transfer", marketId, baseSize }]
      : [];
  });
}
