/** What is known of a balance that grows by itself when it is compared with its entries. */
export interface GrownBalance {
  /** What its entries sum to, interest booked so far included. */
  readonly booked: bigint;
  /** Of that, interest. */
  readonly bookedInterest: bigint;
  readonly amount: bigint;
  /** What its flows sum to by the venue's own count; null where it keeps none. */
  readonly principal: bigint | null;
  readonly index: bigint;
}

/** Share of a balance that is believed to be interest while nobody knows the index it grew from: 1 %. */
const UNKNOWN_GROWTH = 100n;

/**
 * Returns the interest that makes entries and balance equal, or null where they differ by something else: the venue's own
 * count of flows is another one, or more is missing than the index of interest grew, and one unit for each rounding.
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
