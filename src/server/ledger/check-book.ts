import {
  type BookBalance,
  type BookDifference,
  compareBalances,
} from "../../domain/ledger/balance.ts";
import { accountKey, type LedgerMovement } from "../../domain/ledger/entry.ts";
import { interestOf } from "../../domain/ledger/interest.ts";
import type { BookReading } from "../../venues/book.ts";

/** Places that are not the agent's money: nothing is held against the chain there. */
const UNCHECKED: ReadonlySet<string> = new Set(["wallet", "platform"]);

/** Says whether an account's entries are held against the chain. */
export const isChecked = ({ place }: Pick<BookBalance, "place">): boolean => !UNCHECKED.has(place);

/** What a comparison of the book with the chain found. */
export interface BookCheck {
  /** Interest and rounding to be booked; then the book is right where nothing differs. */
  readonly interest: readonly LedgerMovement[];
  readonly differences: readonly BookDifference[];
}

/** Compares the sums of a book with what the chain shows at one moment. */
export function checkBook(
  reading: BookReading,
  booked: readonly BookBalance[],
  interestSums: readonly BookBalance[],
  since: { readonly index: bigint | null; readonly roundings: bigint },
): BookCheck {
  const sums = new Map(booked.filter(isChecked).map((balance) => [accountKey(balance), balance]));
  const interestByKey = new Map(interestSums.map((each) => [accountKey(each), each.amount]));
  const interest: LedgerMovement[] = [];
  const differences: BookDifference[] = [];
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
