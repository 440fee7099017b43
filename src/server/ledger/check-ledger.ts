import type { TransactionOutcome } from "../../solana/chain.ts";
import { type BookedEntry, type LedgerMovement, accountKey } from "../../domain/ledger/entry.ts";
import {
  compareBalances,
  interestOf,
  type LedgerBalance,
  type LedgerDifference,
} from "../../domain/ledger/balance.ts";
import type { LedgerReading } from "../../venues/ledger-reading.ts";

/** Places outside of the agent's funds, which are not compared with the chain. */
const UNCHECKED: ReadonlySet<string> = new Set(["wallet", "platform"]);

/** Returns whether an account's entries are compared with the chain. */
export const isChecked = ({ place }: Pick<LedgerBalance, "place">): boolean =>
  !UNCHECKED.has(place);

/** Result of comparing the ledger with the chain. */
export interface LedgerCheck {
  /** Interest and rounding to book; after that the ledger is correct when no difference remains. */
  readonly interest: readonly LedgerMovement[];
  readonly differences: readonly LedgerDifference[];
}

/** Compares the sums of a ledger with the chain's state at one slot. */
export function checkLedger(
  reading: LedgerReading,
  booked: readonly LedgerBalance[],
  interestSums: readonly LedgerBalance[],
  since: { readonly index: bigint | null; readonly roundings: bigint },
): LedgerCheck {
  const sums = new Map(booked.filter(isChecked).map((balance) => [accountKey(balance), balance]));
  const interestByKey = new Map(interestSums.map((each) => [accountKey(each), each.amount]));
  const interest: LedgerMovement[] = [];
  const differences: LedgerDifference[] = [];
  for (const { principal, index, ...balance } of reading.accruing) {
    const key = accountKey(balance);
    const bookedAmount = sums.get(key)?.amount ?? 0n;
    sums.delete(key);
    const bookedInterest = interestByKey.get(key) ?? 0n;
    const found = interestOf(
      { booked: bookedAmount, bookedInterest, amount: balance.amount, principal, index },
      since,
    );
    if (found === null) {
      const isCounted = principal !== null && principal !== bookedAmount - bookedInterest;
      const { place, subAccount, market, asset, decimals, amount } = balance;
      differences.push({
        place,
        subAccount,
        market,
        asset,
        decimals,
        booked: isCounted ? bookedAmount - bookedInterest : bookedAmount,
        onChain: isCounted ? principal : amount,
      });
    } else if (found !== 0n) {
      interest.push({ ...balance, kind: "interest", amount: found });
    }
  }
  return {
    interest,
    differences: [...compareBalances([...sums.values()], reading.balances), ...differences],
  };
}

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
    entries.push({
      ...last.movement,
      amount,
      realised: null,
      realisedFees: null,
      signature,
      slot,
      atMs,
    });
  }
  return entries;
}
