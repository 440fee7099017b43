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
