import { accountKey } from "../src/domain/ledger/entry.ts";
import { type LedgerBalance, type Counted, changesOf } from "../src/domain/ledger/balance.ts";

/** Returns the sums of entries by account. */
export function sumEntries(entries: Iterable<Counted>): readonly LedgerBalance[] {
  const sums = new Map<string, LedgerBalance>();
  for (const entry of entries) {
    for (const change of changesOf(entry)) {
      const key = accountKey(change);
      sums.set(key, { ...change, amount: (sums.get(key)?.amount ?? 0n) + change.amount });
    }
  }
  return [...sums.values()];
}
