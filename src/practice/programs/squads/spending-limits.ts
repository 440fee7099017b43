import type { Address } from "@solana/kit";
import type { SpendingLimit } from "../../../solana/programs/squads-accounts.ts";
import { spendingLimitCodec, spendingLimitSize } from "../../../solana/programs/squads-accounts.ts";
import {
  squadsArguments,
  NATIVE_MINT_PLACEHOLDER,
  deriveSpendingLimit,
  SQUADS_PROGRAM,
  squadsSeeds,
} from "../../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../../solana/programs/system.ts";
import {
  TOKEN_ACCOUNT_SIZE,
  TOKEN_PROGRAM,
  type TokenAccount,
  transferChecked,
  tokenAccountCodec,
} from "../../../solana/programs/token.ts";
import { InstructionFailure } from "../../runtime/instruction-failure.ts";
import type { AccountMeta, InstructionContext } from "../../runtime/program.ts";
import {
  accountAt,
  argumentsOf,
  constraintFailure,
  initAccount,
  loadAt,
  requireProgram,
  requireSeeds,
  requireWritable,
  signerAt,
  store,
} from "../anchor.ts";
import { call, closeProgramAccount, derive } from "../create-account.ts";
import { MINT_SIZE } from "../token-accounts.ts";
import { compareKeys, loadMultisig, requireMultisigSeeds } from "./multisig-accounts.ts";
import { ensure } from "./squads-failures.ts";

const DAY_SECONDS = 86_400n;

/** Seconds after which a limit is restored, by period number. One-time limits are never restored. */
const PERIOD_SECONDS = [undefined, DAY_SECONDS, 7n * DAY_SECONDS, 30n * DAY_SECONDS] as const;

const NATIVE_DECIMALS = 9;

/** Adds a spending limit that lets members draw from the vault; signed by the config authority. */
export function addSpendingLimit(context: InstructionContext): void {
  const args = argumentsOf(context, squadsArguments.multisigAddSpendingLimit);
  if (args.period >= PERIOD_SECONDS.length) {
    throw constraintFailure(context, "InstructionDidNotDeserialize");
  }
  const multisig = loadMultisig(context);
  const authority = signerAt(context, 1, "config_authority");
  const { address } = accountAt(context, 2);
  const payer = signerAt(context, 3, "rent_payer");
  requireProgram(context, 4, SYSTEM_PROGRAM, "system_program");
  const { createKey, members, destinations } = args;
  const derived = derive(SQUADS_PROGRAM, squadsSeeds.spendingLimit(multisig.address, createKey));
  const space = spendingLimitSize(members.length, destinations.length);
  initAccount(context, address, "spending_limit", derived, { payer, space });
  requireMultisigSeeds(context, multisig);
  ensure(context, authority === multisig.value.configAuthority, "Unauthorized");
  ensure(context, args.amount > 0n, "SpendingLimitInvalidAmount");
  ensure(context, members.length > 0, "EmptyMembers");
  ensure(context, new Set(members).size === members.length, "DuplicateMember");
  store(context, address, spendingLimitCodec, {
    multisig: multisig.address,
    createKey,
    vaultIndex: args.vaultIndex,
    mint: args.mint,
    amount: args.amount,
    period: args.period,
    remainingAmount: args.amount,
    lastReset: context.time.unixTime,
    bump: derived.bump,
    members: members.toSorted((a, b) => compareKeys(a, b)),
    destinations,
  });
}

/** Removes a limit; its rent goes to the given collector. */
export function removeSpendingLimit(context: InstructionContext): void {
  argumentsOf(context, squadsArguments.multisigRemoveSpendingLimit);
  const multisig = loadMultisig(context);
  const authority = signerAt(context, 1, "config_authority");
  const limit = loadAt(context, 2, "spending_limit", spendingLimitCodec);
  const collector = accountAt(context, 3).address;
  requireMultisigSeeds(context, multisig);
  requireWritable(context, 2, "spending_limit");
  requireWritable(context, 3, "rent_collector");
  ensure(context, authority === multisig.value.configAuthority, "Unauthorized");
  ensure(context, limit.value.multisig === multisig.address, "InvalidAccount");
  closeProgramAccount(context, limit.address, collector);
}

function refill(limit: SpendingLimit, now: bigint): SpendingLimit {
  const period = PERIOD_SECONDS[limit.period];
  const passed = now - limit.lastReset;
  if (period === undefined || passed <= period) return limit;
  const lastReset = limit.lastReset + (passed / period) * period;
  return { ...limit, remainingAmount: limit.amount, lastReset };
}

function optionalAt(context: InstructionContext, index: number): AccountMeta | undefined {
  const meta = accountAt(context, index);
  return meta.address === context.programId ? undefined : meta;
}

function requireOptionalProgram(
  context: InstructionContext,
  index: number,
  program: Address,
  name: string,
): void {
  if (optionalAt(context, index) !== undefined) requireProgram(context, index, program, name);
}

/** Anchor's log line for a program error without a custom code: the runtime numbers it in the upper 32 bits. */
const INVALID_DATA_LOG =
  "Error Code: InvalidAccountData. Error Number: 17179869184. Error Message: An account's data contents was invalid.";

/** Reads an account of the token program that must have one size. */
function tokenDataOf(
  context: InstructionContext,
  { address }: AccountMeta,
  name: string,
  size: number,
): Uint8Array {
  const { owner, lamports, data } = context.read(address);
  if (owner === SYSTEM_PROGRAM && lamports === 0n) {
    throw constraintFailure(context, "AccountNotInitialized", name);
  }
  if (owner !== TOKEN_PROGRAM) throw constraintFailure(context, "AccountOwnedByWrongProgram", name);
  if (data.length === size) return data;
  context.log(`ProgramError caused by account: ${name}. ${INVALID_DATA_LOG}`);
  throw new InstructionFailure("InvalidAccountData");
}

/** Reads an optional token account; its owner and mint are checked after all accounts are read. */
function tokenAccountOf(
  context: InstructionContext,
  account: AccountMeta | undefined,
  name: string,
): TokenAccount | undefined {
  if (account === undefined) return undefined;
  return tokenAccountCodec.decode(tokenDataOf(context, account, name, TOKEN_ACCOUNT_SIZE));
}

function requireHolding(
  context: InstructionContext,
  account: AccountMeta | undefined,
  holding: TokenAccount | undefined,
  expected: { readonly mint: string; readonly owner: string; readonly name: string },
): void {
  if (account === undefined || holding === undefined) return;
  const { mint, owner, name } = expected;
  if (!account.isWritable) throw constraintFailure(context, "ConstraintMut", name);
  if (holding.owner !== owner) throw constraintFailure(context, "ConstraintTokenOwner");
  if (holding.mint !== mint) throw constraintFailure(context, "ConstraintTokenMint", name);
}

/** Draws from the vault to an allowed destination, up to the remaining limit. */
export function useSpendingLimit(context: InstructionContext): void {
  const args = argumentsOf(context, squadsArguments.spendingLimitUse);
  const multisig = loadMultisig(context);
  const member = signerAt(context, 1, "member");
  const limit = loadAt(context, 2, "spending_limit", spendingLimitCodec);
  const vaultAddress = accountAt(context, 3).address;
  const destination = accountAt(context, 4).address;
  const mint = optionalAt(context, 6);
  const vaultTokens = optionalAt(context, 7);
  const destinationTokens = optionalAt(context, 8);

  requireOptionalProgram(context, 5, SYSTEM_PROGRAM, "system_program");
  if (mint !== undefined) tokenDataOf(context, mint, "mint", MINT_SIZE);
  const held = tokenAccountOf(context, vaultTokens, "vault_token_account");
  const received = tokenAccountOf(context, destinationTokens, "destination_token_account");
  requireOptionalProgram(context, 9, TOKEN_PROGRAM, "token_program");
  requireMultisigSeeds(context, multisig);
  const { value } = limit;
  const derived = deriveSpendingLimit(multisig.address, value.createKey);
  requireSeeds(context, limit.address, derived.address, "spending_limit");
  requireWritable(context, 2, "spending_limit");
  const vault = derive(SQUADS_PROGRAM, squadsSeeds.vault(multisig.address, value.vaultIndex));
  requireSeeds(context, vaultAddress, vault.address, "vault");
  requireWritable(context, 3, "vault");
  requireWritable(context, 4, "destination");
  if (mint !== undefined) {
    const ofVault = { mint: mint.address, owner: vaultAddress, name: "vault_token_account" };
    requireHolding(context, vaultTokens, held, ofVault);
    const name = "destination_token_account";
    const ofDestination = { mint: mint.address, owner: destination, name };
    requireHolding(context, destinationTokens, received, ofDestination);
  }
  ensure(context, value.members.includes(member), "Unauthorized");
  const isNative = value.mint === NATIVE_MINT_PLACEHOLDER;
  ensure(context, isNative ? mint === undefined : mint?.address === value.mint, "InvalidMint");
  const isAllowed = value.destinations.length === 0 || value.destinations.includes(destination);
  ensure(context, isAllowed, "InvalidDestination");

  const filled = refill(value, context.time.unixTime);
  ensure(context, filled.remainingAmount >= args.amount, "SpendingLimitExceeded");
  const remainingAmount = filled.remainingAmount - args.amount;
  store(context, limit.address, spendingLimitCodec, { ...filled, remainingAmount });

  const { amount, decimals } = args;
  if (isNative) {
    ensure(context, decimals === NATIVE_DECIMALS, "DecimalsMismatch");
    const parties = { from: vaultAddress, to: destination };
    call(context, transferLamports(parties, amount), vault.seeds);
    return;
  }
  ensure(context, mint !== undefined, "MissingAccount");
  ensure(context, vaultTokens !== undefined, "MissingAccount");
  ensure(context, destinationTokens !== undefined, "MissingAccount");
  context.log(
    `token_program ${TOKEN_PROGRAM} mint ${mint.address} vault ${vaultAddress} destination ${destination} amount ${amount} decimals ${decimals}`,
  );
  const accounts = {
    source: vaultTokens.address,
    mint: mint.address,
    destination: destinationTokens.address,
    authority: vaultAddress,
  };
  call(context, transferChecked(accounts, { amount, decimals }), vault.seeds);
}
