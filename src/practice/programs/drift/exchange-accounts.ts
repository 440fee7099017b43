import type { Address } from "@solana/kit";
import { EXCHANGE_STATUS, type DriftState } from "../../../venues/drift/layout-state.ts";
import type { DriftUserStats } from "../../../venues/drift/layout-user-stats.ts";
import { userStatsLayout } from "../../../venues/drift/layout-user-stats.ts";
import type { DriftUser } from "../../../venues/drift/layout-user.ts";
import { userLayout } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { Loaded } from "../anchor.ts";
import { constraintFailure, loadMappedAt } from "../anchor.ts";
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
