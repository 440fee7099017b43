import type { DriftSpotPosition, DriftUser } from "../../../venues/drift/layout-user.ts";

/** Returns a mutable copy of a user. */
export function draftUser(user: DriftUser): DriftUser {
  return {
    ...user,
    perpPositions: user.perpPositions.map((slot) => ({ ...slot })),
    orders: [...user.orders],
  };
}

export const QUOTE_MARKET_INDEX = 0;

/** Index of the quote asset's spot position, which is always the first. */
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
