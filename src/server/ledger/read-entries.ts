import type { Address } from "@solana/kit";
import { recordMovements, type HeldByMarket } from "../../domain/ledger/record-movements.ts";
import type { BookedEntry, LedgerEntry, PendingEntry } from "../../domain/ledger/entry.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { LAMPORTS } from "../../venues/ledger-reading.ts";
import type { BookPort } from "../../venues/ports.ts";
import type { CustodyContext } from "../custody/account/custody-context.ts";
import type { LedgerDeps } from "./ledger-deps.ts";

/** Returns the entries of transactions, which must be in order: the PnL of a close depends on the earlier holdings. */
export function readEntries(
  { feePayers, clock }: Pick<LedgerDeps, "feePayers" | "clock">,
  { venue, account }: { readonly venue: BookPort } & Pick<CustodyContext, "account">,
  before: HeldByMarket,
  outcomes: readonly TransactionOutcome[],
): { readonly entries: readonly BookedEntry[]; readonly held: HeldByMarket } {
  let held = before;
  const entries: BookedEntry[] = [];
  for (const outcome of outcomes) {
    const booked = recordMovements(held, venue.bookTransaction(account, outcome));
    held = booked.held;
    const { signature, slot, blockTime } = outcome;
    const atMs = blockTime === null ? clock.now() : Number(blockTime) * 1_000;
    const fee = networkFee(outcome, account.owner, feePayers);
    for (const entry of [...booked.entries, ...fee]) {
      entries.push({ ...entry, signature, slot, atMs });
    }
  }
  return { entries, held };
}

/** Returns the network fee when the owner or the platform paid it. */
function networkFee(
  { feePayer, feeLamports }: TransactionOutcome,
  owner: Address,
  feePayers: readonly string[],
): readonly LedgerEntry[] {
  if (feePayer === undefined || feeLamports === 0n) return [];
  const isPlatform = feePayers.includes(feePayer);
  if (!isPlatform && feePayer !== owner) return [];
  const place = isPlatform ? "platform" : "wallet";
  const at = { place, subAccount: 0, market: "", ...LAMPORTS } as const;
  return [
    {
      ...at,
      kind: "network_fee",
      index: 0,
      amount: -feeLamports,
      realised: null,
      realisedFees: null,
    },
  ];
}

/** Returns an entry as it is stored before its transaction is final. */
export const toPending = ({
  held: _held,
  realised: _realised,
  realisedFees: _fees,
  ...entry
}: BookedEntry): PendingEntry => ({ ...entry, effect: null });
