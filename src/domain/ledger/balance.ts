import { accountKey, type LedgerAccount, type LedgerEntry } from "./entry.ts";

/** Balance of one account of the ledger. */
export interface LedgerBalance extends LedgerAccount {
  readonly decimals: number;
  readonly amount: bigint;
}

/** An account whose ledger entries do not sum to its balance on chain. */
export interface LedgerDifference extends LedgerAccount {
  readonly decimals: number;
  readonly booked: bigint;
  readonly onChain: bigint;
}

export type Counted = Pick<
  LedgerEntry,
  "place" | "subAccount" | "market" | "asset" | "decimals" | "amount" | "base"
>;

/** Returns the balance changes of one entry: its amount and, for a trade or a moved asset, the base change. */
export function changesOf(entry: Counted): readonly LedgerBalance[] {
  const { place, subAccount, market, asset, decimals, amount, base } = entry;
  const own = { place, subAccount, market, asset, decimals, amount };
  // A moved market asset is one change; a trade is two
  if (base === undefined || base.marketId === asset) return [own];
  const traded = { asset: base.marketId, decimals: base.decimals, amount: base.amount };
  return [own, { place, subAccount, market, ...traded }];
}

/**
 * Returns every account in which the ledger and the chain differ; an account that only one of them names counts as zero
 * in the other.
 */
export function compareBalances(
  bookedBalances: readonly LedgerBalance[],
  chainBalances: readonly LedgerBalance[],
): readonly LedgerDifference[] {
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

/** A balance that earns interest, as compared with its ledger entries. */
export interface GrownBalance {
  /** Sum of its entries, booked interest included. */
  readonly booked: bigint;
  /** Part of `booked` that is interest. */
  readonly bookedInterest: bigint;
  readonly amount: bigint;
  /** Sum of deposits and withdrawals as the venue counts them; null where the venue keeps no count. */
  readonly principal: bigint | null;
  readonly index: bigint;
}

/** Largest share of a balance accepted as interest while the index it grew from is unknown: 1 %. */
const UNKNOWN_GROWTH = 100n;

/**
 * Returns the interest that makes the entries equal the balance, or null where the difference has another cause: the
 * venue counts other flows, or more is missing than the interest index grew plus one unit per rounding.
 */
export function interestOf(
  { booked, bookedInterest, amount, principal, index }: GrownBalance,
  since: { readonly index: bigint | null; readonly roundings: bigint },
): bigint | null {
  if (principal !== null && principal !== booked - bookedInterest) return null;
  const interest = amount - booked;
  const largest = [booked, amount].map(size).reduce((one, other) => (one > other ? one : other));
  const grown =
    since.index === null
      ? largest / UNKNOWN_GROWTH
      : (largest * size(index - since.index)) / (since.index === 0n ? 1n : since.index) + 1n;
  return size(interest) <= grown + since.roundings ? interest : null;
}

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
