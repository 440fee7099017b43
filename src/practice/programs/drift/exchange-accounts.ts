import type { Address } from "@solana/kit";
import { EXCHANGE_STATUS, type DriftState } from "../../../venues/drift/layout-state.ts";
import { type DriftUserStats, userStatsLayout } from "../../../venues/drift/layout-user-stats.ts";
import {
  type DriftUser,
  userLayout,
  type DriftSpotPosition,
} from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { type Loaded, constraintFailure, loadMappedAt } from "../anchor.ts";
import { demand } from "./exchange-failures.ts";

/** Returns the pause bits; refuses bits unknown to this build. */
export function statusOf(state: DriftState): number {
  demand(state.exchangeStatus <= EXCHANGE_STATUS.all, "FailedUnwrap");
  return state.exchangeStatus;
}

/** Refuses with `ExchangePaused` when the whole exchange, or the named part of it, is paused. */
export function demandRunning(state: DriftState, part: keyof typeof EXCHANGE_STATUS): void {
  demand((statusOf(state) & EXCHANGE_STATUS[part]) === 0, "ExchangePaused");
}

export function loadUser(context: InstructionContext, index: number): Loaded<DriftUser> {
  return loadMappedAt(context, index, "user", userLayout);
}

export function loadStats(context: InstructionContext, index: number): Loaded<DriftUserStats> {
  return loadMappedAt(context, index, "user_stats", userStatsLayout);
}

/** Fails with `ConstraintHasOne` unless the key is the user's authority; a delegate fails here. */
export function requireAuthority(
  context: InstructionContext,
  user: DriftUser,
  authority: Address,
): void {
  if (user.authority !== authority) throw constraintFailure(context, "ConstraintHasOne", "user");
}

/** Fails with `ConstraintRaw` unless the key is the user's authority or delegate. */
export function requireTrader(
  context: InstructionContext,
  user: DriftUser,
  key: Address,
  name = "user",
): void {
  if (user.authority !== key && user.delegate !== key) {
    throw constraintFailure(context, "ConstraintRaw", name);
  }
}

/** Fails with `ConstraintRaw` unless the statistics account is the user's. */
export function requireStatsOf(
  context: InstructionContext,
  stats: DriftUserStats,
  user: DriftUser,
  name = "user_stats",
): void {
  if (stats.authority !== user.authority) {
    throw constraintFailure(context, "ConstraintRaw", name);
  }
}

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
