import { addressBytes } from "../../../solana/address-codec.ts";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import { stateLayout } from "../../../venues/drift/layout-state.ts";
import { userStatsLayout } from "../../../venues/drift/layout-user-stats.ts";
import { userLayout } from "../../../venues/drift/layout-user.ts";
import { utf8Bytes } from "../../runtime/bytes.ts";
import { findProgramAddress } from "../../runtime/program-address.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import {
  accountAt,
  argumentsOf,
  constraintFailure,
  loadAt,
  requireSeeds,
  signerAt,
  store,
} from "../anchor.ts";
import { closeProgramAccount, createDerivedAccount } from "../create-account.ts";
import { loadStats, loadUser, requireAuthority } from "./exchange-accounts.ts";
import { ensure } from "./exchange-failures.ts";
import { isUsedSlot } from "./user-slots.ts";

/** Age below which an exchange that charges for accounts refuses to delete one. */
const LEAST_AGE_SECONDS = 13n * 86_400n;

function u16Bytes(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, value >> 8);
}

function userSeeds(authority: Parameters<typeof addressBytes>[0], subAccountId: number) {
  return [utf8Bytes("user"), addressBytes(authority), u16Bytes(subAccountId)];
}

/** Makes the authority's statistics account. */
export function initializeUserStats(context: InstructionContext): void {
  const { address } = accountAt(context, 0);
  const state = loadAt(context, 1, "state", stateLayout);
  const authority = accountAt(context, 2).address;
  const payer = signerAt(context, 3, "payer");
  const seeds = [utf8Bytes("user_stats"), addressBytes(authority)];
  const [derived, bump] = findProgramAddress(seeds, context.programId);
  requireSeeds(context, address, derived, "user_stats");
  createDerivedAccount(context, {
    payer,
    address,
    space: userStatsLayout.size,
    owner: context.programId,
    seeds: [...seeds, Uint8Array.of(bump)],
  });
  const now = context.time.unixTime;
  store(context, address, userStatsLayout, {
    ...userStatsLayout.zero(),
    authority,
    lastMakerVolume30dTs: now,
    lastTakerVolume30dTs: now,
    lastFillerVolume30dTs: now,
  });
  const numberOfAuthorities = state.value.numberOfAuthorities + 1n;
  store(context, state.address, stateLayout, { ...state.value, numberOfAuthorities });
}

/** Makes a sub-account; numbers are used once and in order. */
export function initializeUser(context: InstructionContext): void {
  const { subAccountId, name } = argumentsOf(context, driftArguments.initializeUser);
  const { address } = accountAt(context, 0);
  const stats = loadStats(context, 1);
  const state = loadAt(context, 2, "state", stateLayout);
  const authority = accountAt(context, 3).address;
  const payer = signerAt(context, 4, "payer");
  const seeds = userSeeds(authority, subAccountId);
  const [derived, bump] = findProgramAddress(seeds, context.programId);
  requireSeeds(context, address, derived, "user");
  createDerivedAccount(context, {
    payer,
    address,
    space: userLayout.size,
    owner: context.programId,
    seeds: [...seeds, Uint8Array.of(bump)],
  });
  if (stats.value.authority !== authority) {
    throw constraintFailure(context, "ConstraintHasOne", "user_stats");
  }
  const isNext = subAccountId === stats.value.numberOfSubAccountsCreated;
  ensure(context, isNext, "InvalidUserSubAccountId");
  store(context, address, userLayout, {
    ...userLayout.zero(),
    authority,
    delegate: SYSTEM_PROGRAM,
    name,
    subAccountId,
    nextOrderId: 1,
    nextLiquidationId: 1,
    lastActiveSlot: context.time.slot,
  });
  store(context, stats.address, userStatsLayout, {
    ...stats.value,
    numberOfSubAccounts: stats.value.numberOfSubAccounts + 1,
    numberOfSubAccountsCreated: stats.value.numberOfSubAccountsCreated + 1,
  });
  const numberOfSubAccounts = state.value.numberOfSubAccounts + 1n;
  store(context, state.address, stateLayout, { ...state.value, numberOfSubAccounts });
}

function loadOwnUser(context: InstructionContext, subAccountId: number) {
  const user = loadUser(context, 0);
  const authority = signerAt(context, 1, "authority");
  const [derived] = findProgramAddress(userSeeds(authority, subAccountId), context.programId);
  requireSeeds(context, user.address, derived, "user");
  return user;
}

/** Names the key that may trade, not withdraw. */
export function updateUserDelegate(context: InstructionContext): void {
  const { subAccountId, delegate } = argumentsOf(context, driftArguments.updateUserDelegate);
  const user = loadOwnUser(context, subAccountId);
  store(context, user.address, userLayout, { ...user.value, delegate });
}

export function updateUserName(context: InstructionContext): void {
  const { subAccountId, name } = argumentsOf(context, driftArguments.updateUserName);
  const user = loadOwnUser(context, subAccountId);
  store(context, user.address, userLayout, { ...user.value, name });
}

/** Deletes an empty sub-account; its rent goes to the authority. */
export function deleteUser(context: InstructionContext): void {
  const user = loadUser(context, 0);
  const stats = loadStats(context, 1);
  const state = loadAt(context, 2, "state", stateLayout);
  const authority = signerAt(context, 3, "authority");
  requireAuthority(context, user.value, authority);
  if (stats.value.authority !== authority) {
    throw constraintFailure(context, "ConstraintHasOne", "user_stats");
  }
  const { spotPositions, perpPositions, openOrders, idle } = user.value;
  const isEmpty =
    openOrders === 0 &&
    spotPositions.every(({ scaledBalance }) => scaledBalance === 0n) &&
    !perpPositions.some(isUsedSlot);
  ensure(context, isEmpty, "UserCantBeDeleted");

  const { lastMakerVolume30dTs, lastTakerVolume30dTs, lastFillerVolume30dTs } = stats.value;
  const first = [lastMakerVolume30dTs, lastTakerVolume30dTs, lastFillerVolume30dTs].reduce(
    (least, at) => (at < least ? at : least),
  );
  const isOld = context.time.unixTime - first >= LEAST_AGE_SECONDS;
  const isFree = state.value.maxInitializeUserFee === 0;
  ensure(context, isFree || idle || isOld, "UserCantBeDeleted");

  store(context, stats.address, userStatsLayout, {
    ...stats.value,
    numberOfSubAccounts: stats.value.numberOfSubAccounts - 1,
  });
  const numberOfSubAccounts = state.value.numberOfSubAccounts - 1n;
  store(context, state.address, stateLayout, { ...state.value, numberOfSubAccounts });
  closeProgramAccount(context, user.address, authority);
}
