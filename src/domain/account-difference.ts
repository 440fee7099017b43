import type { AccountState, Position } from "./position.ts";

/** What an agent's own records say its account holds. */
export interface RecordedHolding {
  /** Net base units by market, positive for a long. */
  readonly positions: ReadonlyMap<string, bigint>;
  /** Quote base units, as `AccountState.cash`. */
  readonly cash: bigint;
}

/** What an account shows beyond the records, or lacks: base units by market without zeros, and quote base units. */
export interface AccountDifference {
  readonly positions: ReadonlyMap<string, bigint>;
  readonly cash: bigint;
}

export const NO_DIFFERENCE: AccountDifference = { positions: new Map(), cash: 0n };

/**
 * Share of the account, or of a position, that two readings may differ by and still say the same, in percent: funding,
 * interest and fees reach the records some seconds later.
 */
const TOLERATED_PERCENT = 1n;

const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

const isWithin = (difference: bigint, whole: bigint): boolean =>
  abs(difference) * 100n <= abs(whole) * TOLERATED_PERCENT;

/** Returns a position's size, negative for a short. */
export const signedSize = ({ side, baseSize }: Pick<Position, "side" | "baseSize">): bigint =>
  side === "long" ? baseSize : -baseSize;

function sizesOf({ positions }: Pick<AccountState, "positions">): ReadonlyMap<string, bigint> {
  return new Map(positions.map((position) => [position.marketId, signedSize(position)]));
}

/** Returns what the account shows beyond the records. */
export function differenceFrom(state: AccountState, recorded: RecordedHolding): AccountDifference {
  const seen = sizesOf(state);
  const markets = new Set([...seen.keys(), ...recorded.positions.keys()]);
  const positions = [...markets].flatMap((marketId): [string, bigint][] => {
    const difference = (seen.get(marketId) ?? 0n) - (recorded.positions.get(marketId) ?? 0n);
    return difference === 0n ? [] : [[marketId, difference]];
  });
  const cash = (state.cash ?? recorded.cash) - recorded.cash;
  return { positions: new Map(positions), cash };
}

/** Returns whether two differences from the same records are the same, measured by the account that shows the first. */
export function isSameDifference(
  one: AccountDifference,
  other: AccountDifference,
  state: AccountState,
): boolean {
  const sizes = sizesOf(state);
  const markets = new Set([...one.positions.keys(), ...other.positions.keys()]);
  return (
    isWithin(one.cash - other.cash, state.portfolioValue) &&
    [...markets].every((marketId) =>
      isWithin(
        (one.positions.get(marketId) ?? 0n) - (other.positions.get(marketId) ?? 0n),
        sizes.get(marketId) ?? 0n,
      ),
    )
  );
}
