import type { LedgerDifference } from "../../domain/ledger/balance.ts";
import { accountKey, type BookedEntry, type LedgerMovement } from "../../domain/ledger/entry.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";

/** What a transaction may have credited to an agent, by the amounts it names without saying whose they are. */
export interface PossibleCredit {
  readonly movement: LedgerMovement;
  readonly outcome: Pick<TransactionOutcome, "signature" | "slot" | "blockTime">;
}

/**
 * Returns the entries of credits that explain every difference between ledger and chain; null when one is left over, is
 * a loss, or is more than such transactions gave.
 */
export function explainByCredits(
  differences: readonly LedgerDifference[],
  credits: readonly PossibleCredit[],
  nowMs: number,
): readonly Omit<BookedEntry, "index">[] | null {
  const entries: Omit<BookedEntry, "index">[] = [];
  for (const difference of differences) {
    const key = accountKey(difference);
    const possible = credits.filter(({ movement }) => accountKey(movement) === key);
    const last = possible.at(-1);
    const most = possible.reduce((sum, { movement }) => sum + movement.amount, 0n);
    const amount = difference.onChain - difference.booked;
    if (last === undefined || amount <= 0n || amount > most) return null;
    const { signature, slot, blockTime } = last.outcome;
    const atMs = blockTime === null ? nowMs : Number(blockTime) * 1_000;
    entries.push({ ...last.movement, amount, realised: null, signature, slot, atMs });
  }
  return entries;
}
