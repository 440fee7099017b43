import { DIRECTION } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import {
  type DriftPerpPosition,
  type DriftUser,
  userLayout,
} from "../../../venues/drift/layout-user.ts";
import { demand, ExchangeRefusal } from "./exchange-failures.ts";
import { abs, fitsI64, toI64 } from "./integers.ts";

const [EMPTY_POSITION] = userLayout.zero().perpPositions;

/** Returns whether a slot is free for another market. */
export function isAvailable(slot: DriftPerpPosition): boolean {
  return (
    slot.baseAssetAmount === 0n &&
    slot.quoteAssetAmount === 0n &&
    slot.openOrders === 0 &&
    slot.openBids === 0n &&
    slot.openAsks === 0n &&
    slot.lpShares === 0n
  );
}

/** Returns the position in the market. Refuses with `UserHasNoPositionInMarket`. */
export function positionOf(user: DriftUser, marketIndex: number): DriftPerpPosition {
  const found = user.perpPositions.find(
    (slot) => slot.marketIndex === marketIndex && !isAvailable(slot),
  );
  if (found === undefined) throw new ExchangeRefusal("UserHasNoPositionInMarket");
  return found;
}

/** Returns the position in the market, or a new one in the first free slot. */
export function positionOrNew(user: DriftUser, marketIndex: number): DriftPerpPosition {
  const held = user.perpPositions.find(
    (slot) => slot.marketIndex === marketIndex && !isAvailable(slot),
  );
  if (held !== undefined) return held;
  const at = user.perpPositions.findIndex(isAvailable);
  demand(at >= 0, "MaxNumberOfPositions");
  const fresh: DriftPerpPosition = { ...(EMPTY_POSITION as DriftPerpPosition), marketIndex };
  user.perpPositions[at] = fresh;
  return fresh;
}

type Kind = "open" | "increase" | "reduce" | "close" | "flip";

function kindOf(held: bigint, change: bigint): Kind {
  if (held === 0n) return "open";
  if (held > 0n === change > 0n) return "increase";
  if (abs(held) > abs(change)) return "reduce";
  return abs(held) === abs(change) ? "close" : "flip";
}

/** Adds amounts to the market's totals of longs or shorts. */
function addToSide(
  { amm }: DriftPerpMarket,
  isLong: boolean,
  change: { readonly base: bigint; readonly entry: bigint; readonly breakEven: bigint },
): void {
  if (isLong) {
    amm.baseAssetAmountLong += change.base;
    amm.quoteEntryAmountLong += change.entry;
    amm.quoteBreakEvenAmountLong += change.breakEven;
  } else {
    amm.baseAssetAmountShort += change.base;
    amm.quoteEntryAmountShort += change.entry;
    amm.quoteBreakEvenAmountShort += change.breakEven;
  }
}

/** Adds bought (positive) or sold base and its quote to a position and its market's totals. */
export function tradePosition(
  position: DriftPerpPosition,
  market: DriftPerpMarket,
  base: bigint,
  quote: bigint,
): void {
  const held = position.baseAssetAmount;
  const kind = kindOf(held, base);
  const next = held + base;
  const nextQuote = position.quoteAssetAmount + quote;
  const [size, traded] = [abs(held), abs(base)];
  const { quoteEntryAmount: entry, quoteBreakEvenAmount: breakEven } = position;
  const kept = (amount: bigint) => amount - (amount * traded) / size;
  const opened = kind === "flip" ? quote - (quote * size) / traded : 0n;
  const isAdding = kind === "open" || kind === "increase";
  const after = isAdding
    ? { entry: entry + quote, breakEven: breakEven + quote }
    : kind === "flip"
      ? { entry: opened, breakEven: opened }
      : { entry: kept(entry), breakEven: kept(breakEven) };

  if (kind === "open") {
    if (position.quoteAssetAmount === 0n) market.numberOfUsers += 1;
    market.numberOfUsersWithBase += 1;
  } else if (kind === "close") {
    if (nextQuote === 0n) market.numberOfUsers -= 1;
    market.numberOfUsersWithBase -= 1;
  }
  market.amm.quoteAssetAmount += quote;
  const change = { entry: after.entry - entry, breakEven: after.breakEven - breakEven };
  if (isAdding) addToSide(market, next > 0n, { base, entry: quote, breakEven: quote });
  else if (kind === "flip") {
    addToSide(market, held > 0n, { base: -held, entry: -entry, breakEven: -breakEven });
    addToSide(market, next > 0n, { base: next, entry: after.entry, breakEven: after.breakEven });
  } else addToSide(market, held > 0n, { base, ...change });

  if (kind === "close") position.lastCumulativeFundingRate = 0n;
  else if (kind !== "reduce") {
    const { cumulativeFundingRateLong, cumulativeFundingRateShort } = market.amm;
    position.lastCumulativeFundingRate =
      next > 0n ? cumulativeFundingRateLong : cumulativeFundingRateShort;
  }
  position.baseAssetAmount = next;
  position.quoteAssetAmount = nextQuote;
  position.quoteEntryAmount = after.entry;
  position.quoteBreakEvenAmount = after.breakEven;
}

/** Adds quote units, a fee or a reward, to a position and its market. */
export function addQuote(
  position: DriftPerpPosition,
  market: DriftPerpMarket,
  change: bigint,
): void {
  if (change === 0n) return;
  const isEmpty = () => position.quoteAssetAmount === 0n && position.baseAssetAmount === 0n;
  if (isEmpty()) market.numberOfUsers += 1;
  position.quoteAssetAmount += change;
  market.amm.quoteAssetAmount += change;
  if (isEmpty() && market.numberOfUsers > 0) market.numberOfUsers -= 1;
}

/** Adds quote units that also change the position's break-even price. */
export function addQuoteAndBreakEven(
  position: DriftPerpPosition,
  market: DriftPerpMarket,
  change: bigint,
): void {
  addQuote(position, market, change);
  if (change === 0n || position.baseAssetAmount === 0n) return;
  position.quoteBreakEvenAmount += change;
  if (position.baseAssetAmount > 0n) market.amm.quoteBreakEvenAmountLong += change;
  else market.amm.quoteBreakEvenAmountShort += change;
}

/** Adds to the base of open orders; negative when they are filled or cancelled. */
export function addOpenOrder(position: DriftPerpPosition, direction: number, base: bigint): void {
  if (direction === DIRECTION.long) position.openBids = fitsI64(position.openBids + toI64(base));
  else position.openAsks = fitsI64(position.openAsks - toI64(base));
}
