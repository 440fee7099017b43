import type {
  DriftOrder,
  DriftPerpPosition,
  DriftSpotPosition,
  DriftUser,
} from "../../../venues/drift/layout-user.ts";
import { ORDER_STATUS } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { exchangeFailure } from "./exchange-failures.ts";

/** Says whether a perpetual slot holds anything: size, unsettled PnL or open orders. */
export function isUsedSlot(slot: DriftPerpPosition): boolean {
  return slot.baseAssetAmount !== 0n || slot.quoteAssetAmount !== 0n || slot.openOrders > 0;
}

export function findPosition(user: DriftUser, marketIndex: number): DriftPerpPosition | undefined {
  return user.perpPositions.find((slot) => slot.marketIndex === marketIndex && isUsedSlot(slot));
}

const CLEARED = {
  lastCumulativeFundingRate: 0n,
  baseAssetAmount: 0n,
  quoteAssetAmount: 0n,
  quoteBreakEvenAmount: 0n,
  quoteEntryAmount: 0n,
  openBids: 0n,
  openAsks: 0n,
  settledPnl: 0n,
  lpShares: 0n,
  lastBaseAssetAmountPerLp: 0n,
  lastQuoteAssetAmountPerLp: 0n,
  remainderBaseAssetAmount: 0,
  openOrders: 0,
  perLpBase: 0,
} as const;

/** Returns the market's position, or a cleared one where a slot is free. Fails with `MaxNumberOfPositions`. */
export function positionIn(
  context: InstructionContext,
  user: DriftUser,
  marketIndex: number,
): DriftPerpPosition {
  const held = findPosition(user, marketIndex);
  if (held !== undefined) return held;
  if (user.perpPositions.every(isUsedSlot)) throw exchangeFailure(context, "MaxNumberOfPositions");
  return { ...CLEARED, marketIndex };
}

/** Puts a position back: into its own slot, or the first free one. */
export function withPosition(user: DriftUser, position: DriftPerpPosition): DriftUser {
  const own = user.perpPositions.findIndex(
    (slot) => slot.marketIndex === position.marketIndex && isUsedSlot(slot),
  );
  const index = own >= 0 ? own : user.perpPositions.findIndex((slot) => !isUsedSlot(slot));
  if (index < 0) throw new Error("A position was put back that was never taken");
  return { ...user, perpPositions: user.perpPositions.with(index, position) };
}

/** The first spot position is the quote asset's, in use or not. */
const QUOTE_PLACE = 0;

export function spotPositionIn(user: DriftUser, marketIndex: number): DriftSpotPosition {
  const first = user.spotPositions[QUOTE_PLACE];
  if (marketIndex === 0 && first !== undefined) return first;
  const held = user.spotPositions.find(
    (slot) => slot.marketIndex === marketIndex && slot.scaledBalance > 0n,
  );
  const free = user.spotPositions.find((slot) => slot.scaledBalance === 0n);
  const slot = held ?? free;
  if (slot === undefined) throw new Error("All eight spot slots are in use");
  return { ...slot, marketIndex };
}

export function withSpotPosition(user: DriftUser, position: DriftSpotPosition): DriftUser {
  if (position.marketIndex === 0) {
    return { ...user, spotPositions: user.spotPositions.with(QUOTE_PLACE, position) };
  }
  const own = user.spotPositions.findIndex(
    (slot) => slot.marketIndex === position.marketIndex && slot.scaledBalance > 0n,
  );
  const index = own >= 0 ? own : user.spotPositions.findIndex((slot) => slot.scaledBalance === 0n);
  return { ...user, spotPositions: user.spotPositions.with(index, position) };
}

export function findOrder(user: DriftUser, orderId: number): DriftOrder | undefined {
  return user.orders.find(
    (order) => order.orderId === orderId && order.status === ORDER_STATUS.open,
  );
}

export function withOrder(user: DriftUser, order: DriftOrder): DriftUser {
  const index = user.orders.findIndex(
    ({ orderId, status }) => orderId === order.orderId && status === ORDER_STATUS.open,
  );
  if (index < 0) throw new Error("An order was put back that was never taken");
  return { ...user, orders: user.orders.with(index, order) };
}
