import type { Address } from "@solana/kit";
import { addressBytes } from "../../../solana/encoding/address-codec.ts";
import { RENT_SYSVAR, SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import { type DriftState, stateLayout } from "../../../venues/drift/layout-state.ts";
import {
  type DriftUserStats,
  REFERRER_STATUS,
  userStatsLayout,
} from "../../../venues/drift/layout-user-stats.ts";
import { type DriftUser, ORDER_STATUS, userLayout } from "../../../venues/drift/layout-user.ts";
import { concatBytes, u16Bytes, u64Bytes, utf8Bytes } from "../../runtime/bytes.ts";
import { findProgramAddress } from "../../runtime/program-address.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import {
  accountAt,
  argumentsOf,
  constraintFailure,
  loadAt,
  requireProgram,
  requireSeeds,
  requireSysvar,
  requireWritable,
  signerAt,
  store,
} from "../anchor.ts";
import { closeProgramAccount, createDerivedAccount } from "../create-account.ts";
import { emitNewUser } from "./account-events.ts";
import { loadStats, loadUser, requireAuthority } from "./exchange-accounts.ts";
import { ensure } from "./exchange-failures.ts";
import { isUsedSlot } from "./user-slots.ts";

/** Age in seconds below which an exchange that charges for accounts refuses to delete one. */
const LEAST_AGE_SECONDS = 13n * 86_400n;

function userSeeds(authority: Address, subAccountId: number) {
  return [utf8Bytes("user"), addressBytes(authority), u16Bytes(subAccountId)];
}

/**
 * Returns the limit on sub-accounts: the program stores small limits as they are and larger ones in hundreds; 0 is no
 * limit.
 */
function mostSubAccounts({ maxNumberOfSubAccounts }: DriftState): bigint {
  const most = BigInt(maxNumberOfSubAccounts);
  return most <= 5n ? most : most * 100n;
}

const MILLION = 1_000_000n;
const LAMPORTS_PER_CENT_OF_SOL = 10_000_000n;

/** Share of the account limit, in millionths, below which an account costs only its rent. */
const FREE_SHARE = 800_000n;

/**
 * Returns a new account's fee beside its rent in lamports: zero below four fifths of the account limit, then rising.
 */
function initialisationFee(state: DriftState): bigint {
  const most = mostSubAccounts(state);
  const share = (state.numberOfSubAccounts * MILLION) / (most === 0n ? 1n : most);
  if (share <= FREE_SHARE) return 0n;
  const highest = BigInt(state.maxInitializeUserFee) * LAMPORTS_PER_CENT_OF_SOL;
  return (highest * (share - FREE_SHARE)) / (MILLION - FREE_SHARE);
}

function payFee(context: InstructionContext, payer: Address, user: Address, fee: bigint): void {
  if (fee === 0n) return;
  const { lamports } = context.read(payer);
  ensure(
    context,
    lamports >= fee,
    "CantPayUserInitFee",
    `payer lamports ${lamports} init fee ${fee}`,
  );
  context.invoke({
    programId: SYSTEM_PROGRAM,
    accounts: [
      { address: payer, isSigner: true, isWritable: true },
      { address: user, isSigner: false, isWritable: true },
    ],
    data: concatBytes([Uint8Array.of(2, 0, 0, 0), u64Bytes(fee)]),
  });
}

function requireOwnStats(
  context: InstructionContext,
  stats: DriftUserStats,
  authority: Address,
): void {
  requireWritable(context, 1, "user_stats");
  if (stats.authority !== authority) {
    throw constraintFailure(context, "ConstraintHasOne", "user_stats");
  }
}

/** Creates the authority's statistics account. */
export function initializeUserStats(context: InstructionContext): void {
  const { address } = accountAt(context, 0);
  const state = loadAt(context, 1, "state", stateLayout);
  const authority = signerAt(context, 2, "authority");
  const payer = signerAt(context, 3, "payer");
  requireSysvar(context, 4, RENT_SYSVAR, "rent");
  requireProgram(context, 5, SYSTEM_PROGRAM, "system_program");
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
  requireWritable(context, 1, "state");
  const numberOfAuthorities = state.value.numberOfAuthorities + 1n;
  const most = mostSubAccounts(state.value);
  ensure(context, most === 0n || numberOfAuthorities <= most, "MaxNumberOfUsers");
  store(context, state.address, stateLayout, { ...state.value, numberOfAuthorities });
}

/** Creates a sub-account; numbers are used once and in order. */
export function initializeUser(context: InstructionContext): void {
  const { subAccountId, name } = argumentsOf(context, driftArguments.initializeUser);
  const { address } = accountAt(context, 0);
  const stats = loadStats(context, 1);
  const state = loadAt(context, 2, "state", stateLayout);
  const authority = signerAt(context, 3, "authority");
  const payer = signerAt(context, 4, "payer");
  requireSysvar(context, 5, RENT_SYSVAR, "rent");
  requireProgram(context, 6, SYSTEM_PROGRAM, "system_program");
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
  requireOwnStats(context, stats.value, authority);
  requireWritable(context, 2, "state");
  const next = stats.value.numberOfSubAccountsCreated;
  ensure(
    context,
    subAccountId === next,
    "InvalidUserSubAccountId",
    `Invalid sub account id ${subAccountId}, must be ${next}`,
  );
  const user = {
    ...userLayout.zero(),
    authority,
    delegate: SYSTEM_PROGRAM,
    name,
    subAccountId,
    nextOrderId: 1,
    nextLiquidationId: 1,
  };
  store(context, address, userLayout, user);
  store(context, stats.address, userStatsLayout, {
    ...stats.value,
    numberOfSubAccounts: stats.value.numberOfSubAccounts + 1,
    numberOfSubAccountsCreated: next + 1,
  });
  const numberOfSubAccounts = state.value.numberOfSubAccounts + 1n;
  const most = mostSubAccounts(state.value);
  ensure(context, most === 0n || numberOfSubAccounts <= most, "MaxNumberOfUsers");
  store(context, state.address, stateLayout, { ...state.value, numberOfSubAccounts });
  emitNewUser(context, { address, value: user }, stats.value.referrer);
  payFee(context, payer, address, initialisationFee({ ...state.value, numberOfSubAccounts }));
}

function loadOwnUser(context: InstructionContext, subAccountId: number) {
  const user = loadUser(context, 0);
  const authority = signerAt(context, 1, "authority");
  const [derived] = findProgramAddress(userSeeds(authority, subAccountId), context.programId);
  requireSeeds(context, user.address, derived, "user");
  requireWritable(context, 0, "user");
  return user;
}

/** Sets the delegate, which may trade but not withdraw. */
export function updateUserDelegate(context: InstructionContext): void {
  const { subAccountId, delegate } = argumentsOf(context, driftArguments.updateUserDelegate);
  const user = loadOwnUser(context, subAccountId);
  store(context, user.address, userLayout, { ...user.value, delegate });
}

/** Sets the account's own initial margin ratio; the program accepts every value. */
export function updateUserCustomMarginRatio(context: InstructionContext): void {
  const { subAccountId, marginRatio } = argumentsOf(
    context,
    driftArguments.updateUserCustomMarginRatio,
  );
  const user = loadOwnUser(context, subAccountId);
  store(context, user.address, userLayout, { ...user.value, maxMarginRatio: marginRatio });
}

export function updateUserName(context: InstructionContext): void {
  const { subAccountId, name } = argumentsOf(context, driftArguments.updateUserName);
  const user = loadOwnUser(context, subAccountId);
  store(context, user.address, userLayout, { ...user.value, name });
}

/** Fails with the first reason that prevents an account's deletion. */
function requireDeletable(
  context: InstructionContext,
  user: DriftUser,
  { referrerStatus }: DriftUserStats,
): void {
  const isReferrer = user.subAccountId === 0 && (referrerStatus & REFERRER_STATUS.isReferrer) !== 0;
  const referrerText = "user id 0 cant be deleted if user is a referrer";
  ensure(context, !isReferrer, "UserCantBeDeleted", referrerText);
  const held = user.perpPositions.find(isUsedSlot);
  const market = held?.marketIndex ?? 0;
  const perpText = `user has perp position for market ${market}`;
  ensure(context, held === undefined, "UserCantBeDeleted", perpText);
  const spot = user.spotPositions.find(
    ({ scaledBalance, openOrders }) => scaledBalance !== 0n || openOrders !== 0,
  );
  const spotText = `user has spot position for market ${spot?.marketIndex ?? 0}`;
  ensure(context, spot === undefined, "UserCantBeDeleted", spotText);
  const hasOrders = user.orders.some(({ status }) => status === ORDER_STATUS.open);
  ensure(context, !hasOrders, "UserCantBeDeleted", "user has an open order");
}

/** Returns the seconds since the oldest timestamp in an authority's statistics. */
function ageOf(stats: DriftUserStats, now: bigint): bigint {
  const { lastMakerVolume30dTs, lastTakerVolume30dTs, lastFillerVolume30dTs } = stats;
  const first = [lastMakerVolume30dTs, lastTakerVolume30dTs, lastFillerVolume30dTs].reduce(
    (least, at) => (at < least ? at : least),
  );
  return now > first ? now - first : 0n;
}

/** Deletes an empty sub-account; its rent goes to the authority. */
export function deleteUser(context: InstructionContext): void {
  const user = loadUser(context, 0);
  const stats = loadStats(context, 1);
  const state = loadAt(context, 2, "state", stateLayout);
  const authority = signerAt(context, 3, "authority");
  requireWritable(context, 0, "user");
  requireAuthority(context, user.value, authority);
  requireOwnStats(context, stats.value, authority);
  requireWritable(context, 2, "state");
  requireDeletable(context, user.value, stats.value);
  const age = ageOf(stats.value, context.time.unixTime);
  const isDue = state.value.maxInitializeUserFee === 0 || age >= LEAST_AGE_SECONDS;
  ensure(
    context,
    isDue || user.value.idle,
    "UserCantBeDeleted",
    `user is not idle with fresh user stats account creation (${age} < ${LEAST_AGE_SECONDS})`,
  );

  store(context, stats.address, userStatsLayout, {
    ...stats.value,
    numberOfSubAccounts: stats.value.numberOfSubAccounts - 1,
  });
  const numberOfSubAccounts = state.value.numberOfSubAccounts - 1n;
  store(context, state.address, stateLayout, { ...state.value, numberOfSubAccounts });
  closeProgramAccount(context, user.address, authority);
}
