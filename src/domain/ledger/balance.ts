import { accountKey, type BookAccount, type LedgerEntry } from "./entry.ts";

/** What is in one account of the book. */
export interface BookBalance extends BookAccount {
  readonly decimals: number;
  readonly amount: bigint;
}

/** An account whose entries do not sum to what the chain shows. */
export interface BookDifference extends BookAccount {
  readonly decimals: number;
  readonly booked: bigint;
  readonly onChain: bigint;
}

type Counted = Pick<
  LedgerEntry,
  "place" | "subAccount" | "market" | "asset" | "decimals" | "amount" | "base"
>;

/** Returns what one entry changes: its amount, and what it trades or moves of a market. */
export function changesOf(entry: Counted): readonly BookBalance[] {
  const { place, subAccount, market, asset, decimals, amount, base } = entry;
  const own = { place, subAccount, market, asset, decimals, amount };
  // What was moved of a market's asset itself is one change; a trade is two
  if (base === undefined || base.marketId === asset) return [own];
  const traded = { asset: base.marketId, decimals: base.decimals, amount: base.amount };
  return [own, { place, subAccount, market, ...traded }];
}

/** Returns the sums of entries by account. */
export function sumEntries(entries: Iterable<Counted>): readonly BookBalance[] {
  const sums = new Map<string, BookBalance>();
  for (const entry of entries) {
    for (const change of changesOf(entry)) {
      const key = accountKey(change);
      sums.set(key, { ...change, amount: (sums.get(key)?.amount ?? 0n) + change.amount });
    }
  }
  return [...sums.values()];
}

/** Returns every account in which the book and the chain differ; what only one of them names is nothing in the other. */
export function compareBalances(
  bookedBalances: readonly BookBalance[],
  chainBalances: readonly BookBalance[],
): readonly BookDifference[] {
  const books = new Map(bookedBalances.map((balance) => [accountKey(balance), balance]));
  const shown = new Map(chainBalances.map((balance) => [accountKey(balance), balance]));
  return [...new Map([...books, ...shown])].flatMap(([key, account]) => {
    const { place, subAccount, market, asset, decimals } = account;
    const booked = books.get(key)?.amount ?? 0n;
    const onChain = shown.get(key)?.amount ?? 0n;
    if (booked === onChain) return [];
    return [{ place, subAccount, market, asset, decimals, booked, onChain }];
  });
}
