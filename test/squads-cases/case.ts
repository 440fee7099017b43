import type { Address, Instruction } from "@solana/kit";
import { expect } from "vitest";
import { SQUADS_TREASURY } from "../../src/practice/genesis.ts";
import { associatedTokenAddress } from "../../src/solana/programs/associated-token.ts";
import { SPENDING_PERIOD } from "../../src/solana/programs/squads-accounts.ts";
import { compileInner } from "../../src/solana/programs/squads-message.ts";
import {
  multisigCreateV2,
  proposalApprove,
  proposalCreate,
  vaultTransactionAccountsClose,
  vaultTransactionCreate,
  vaultTransactionExecute,
  multisigAddSpendingLimit,
  multisigRemoveSpendingLimit,
  spendingLimitUse,
  deriveSpendingLimit,
} from "../../src/solana/programs/squads.ts";
import { transferLamports } from "../../src/solana/programs/system.ts";
import { transferChecked, USDC_MINT } from "../../src/solana/programs/token.ts";
import type { ChainBench } from "../chain-bench.ts";
import {
  createKey,
  tradingKey,
  limitKey,
  multisig,
  owner,
  putDollars,
  vault,
  vaultUsdc,
} from "../squads-bench.ts";

/** One behaviour of Squads v4 that this product relies on. */
export interface SquadsCase {
  readonly name: string;
  readonly run: (bench: ChainBench) => Promise<void>;
}

/** Expects a transaction to land, or to fail with this error at this instruction. */
export async function expectError(
  result: ReturnType<ChainBench["send"]>,
  error: string | RegExp | null,
): Promise<void> {
  const { error: seen } = await result;
  if (error instanceof RegExp) expect(seen).toMatch(error);
  else expect(seen).toBe(error);
}

export const FEE = 5_000n;
export const DAY_SECONDS = 86_400;
export const member = { key: owner.address, permissions: 7 };

export function create(
  changes: Partial<Parameters<typeof multisigCreateV2>[1]> = {},
  treasury = SQUADS_TREASURY,
): Instruction {
  return multisigCreateV2(
    { treasury, createKey: createKey.address, creator: owner.address },
    {
      configAuthority: owner.address,
      threshold: 1,
      members: [member],
      rentCollector: owner.address,
      ...changes,
    },
  );
}

/** A controlled multisig whose vault holds 0.1 SOL and 1,000 dollars. */
export async function withVault(bench: ChainBench, changes: Parameters<typeof create>[0] = {}) {
  const made = await bench.send([owner, createKey], [create(changes)]);
  expect(made.error).toBeNull();
  await bench.give(vault, 100_000_000n);
  await putDollars(bench, vault, 1_000_000_000n);
  await putDollars(bench, tradingKey.address, 0n);
  await putDollars(bench, owner.address, 0n);
}

/** A multisig as `withVault` makes it, with the trading key's daily limit of 100 dollars. */
export async function withLimit(bench: ChainBench, changes: LimitChanges = {}) {
  await withVault(bench);
  await expectError(bench.send([owner], [addLimit(changes)]), null);
}

export const paySol = (lamports: bigint, to = owner.address) =>
  transferLamports({ from: vault, to }, lamports);

export const payDollars = (amount: bigint) =>
  transferChecked(
    {
      source: vaultUsdc,
      mint: USDC_MINT,
      destination: associatedTokenAddress(owner.address, USDC_MINT),
      authority: vault,
    },
    { amount, decimals: 6 },
  );

export interface LimitChanges {
  readonly mint?: Address;
  readonly amount?: bigint;
  readonly period?: number;
  readonly members?: readonly Address[];
  readonly destinations?: readonly Address[];
}

export const addLimit = (changes: LimitChanges = {}, authority = owner) =>
  multisigAddSpendingLimit(
    { multisig, configAuthority: authority.address, rentPayer: authority.address },
    {
      createKey: limitKey.address,
      mint: USDC_MINT,
      amount: 100_000_000n,
      period: SPENDING_PERIOD.day,
      members: [tradingKey.address],
      destinations: [tradingKey.address],
      ...changes,
    },
  );

export const limit = deriveSpendingLimit(multisig, limitKey.address).address;

export const useLimit = (
  amount: bigint,
  by = tradingKey,
  destination = tradingKey.address,
  decimals = 6,
) =>
  spendingLimitUse(
    { multisig, member: by.address, spendingLimit: limit, destination, mint: USDC_MINT },
    { amount, decimals },
  );

export const removeLimit = (authority = owner) =>
  multisigRemoveSpendingLimit({
    multisig,
    configAuthority: authority.address,
    spendingLimit: limit,
    rentCollector: owner.address,
  });

/** Returns the steps of one vault transaction, so that cases can omit some. */
export function steps(instructions: readonly Instruction[], transactionIndex = 1n, by = owner) {
  const message = compileInner(vault, instructions);
  const initiator = { multisig, creator: by.address, rentPayer: by.address };
  const actor = { multisig, member: by.address };
  return {
    create: vaultTransactionCreate(initiator, { transactionIndex, vaultIndex: 0, message }),
    propose: proposalCreate(initiator, transactionIndex),
    approve: proposalApprove(actor, transactionIndex),
    execute: vaultTransactionExecute(actor, { transactionIndex, message }),
    close: vaultTransactionAccountsClose(
      { multisig, rentCollector: owner.address },
      transactionIndex,
    ),
  };
}
