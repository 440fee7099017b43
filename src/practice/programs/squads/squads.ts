import {
  multisigCodec,
  type Multisig,
  multisigSize,
  programConfigCodec,
  type VaultTransaction,
  proposalCodec,
  vaultTransactionCodec,
} from "../../../solana/programs/squads-accounts.ts";
import {
  squadsArguments,
  deriveProgramConfig,
  deriveProposal,
  deriveVaultTransaction,
  SQUADS_PROGRAM,
  squadsSeeds,
} from "../../../solana/programs/squads.ts";
import { SYSTEM_PROGRAM, transferLamports } from "../../../solana/programs/system.ts";
import type { InstructionContext, Program, AccountMeta } from "../../runtime/program.ts";
import {
  accountAt,
  anchorProgram,
  constraintFailure,
  initAccount,
  loadAt,
  requireSeeds,
  signerAt,
  argumentsOf,
  requireProgram,
  requireWritable,
  store,
} from "../anchor.ts";
import { call, createDerivedAccount, derive } from "../create-account.ts";
import {
  compareKeys,
  PERMISSION,
  loadMultisig,
  requireMember,
  requireMultisigSeeds,
} from "./multisig-accounts.ts";
import { addSpendingLimit, removeSpendingLimit, useSpendingLimit } from "./spending-limits.ts";
import { ensure, squadsFailure } from "./squads-failures.ts";
import {
  proposalApprove,
  proposalCreate,
  vaultTransactionAccountsClose,
  vaultTransactionCreate,
} from "./vault-transaction.ts";
import type { Address } from "@solana/kit";
import {
  decodeLookupTable,
  LOOKUP_TABLE_PROGRAM,
} from "../../../solana/programs/address-lookup-table.ts";
import { isStaticWritable } from "../../../solana/programs/squads-message.ts";

type Message = VaultTransaction["message"];

const OWN_ACCOUNTS = 4;

function requireTables(
  context: InstructionContext,
  message: Message,
  tables: readonly AccountMeta[],
): readonly (readonly Address[])[] {
  ensure(context, tables.length === message.addressTableLookups.length, "InvalidNumberOfAccounts");
  return tables.map(({ address }, index) => {
    const state = context.read(address);
    const isExpected = message.addressTableLookups[index]?.accountKey === address;
    const isTable = state.owner === LOOKUP_TABLE_PROGRAM;
    ensure(context, isTable && isExpected, "InvalidAccount");
    return decodeLookupTable(state.data)?.addresses ?? [];
  });
}

function requireStaticAccounts(
  context: InstructionContext,
  message: Message,
  given: readonly AccountMeta[],
  vault: Address,
): readonly AccountMeta[] {
  return message.accountKeys.map((key, index) => {
    const account = given[index];
    ensure(context, account?.address === key, "InvalidAccount");
    const mustSign = index < message.numSigners && key !== vault;
    ensure(context, !mustSign || account.isSigner, "InvalidAccount");
    const mustBeWritable = isStaticWritable(message, index);
    ensure(context, !mustBeWritable || account.isWritable, "InvalidAccount");
    return { address: key, isSigner: index < message.numSigners, isWritable: mustBeWritable };
  });
}

function requireLoadedAccounts(
  context: InstructionContext,
  message: Message,
  given: readonly AccountMeta[],
  tables: readonly (readonly Address[])[],
): readonly AccountMeta[] {
  const writable: AccountMeta[] = [];
  const readonly: AccountMeta[] = [];
  let cursor = message.accountKeys.length;
  for (const [table, lookup] of message.addressTableLookups.entries()) {
    for (const isWritable of [true, false]) {
      const indexes = isWritable ? lookup.writableIndexes : lookup.readonlyIndexes;
      for (const index of indexes) {
        const account = given[cursor];
        cursor += 1;
        ensure(context, account !== undefined, "InvalidNumberOfAccounts");
        ensure(context, !isWritable || account.isWritable, "InvalidAccount");
        ensure(context, account.address === tables[table]?.[index], "InvalidAccount");
        const meta = { address: account.address, isSigner: false, isWritable };
        (isWritable ? writable : readonly).push(meta);
      }
    }
  }
  return [...writable, ...readonly];
}

/** Resolves the stored message against the given accounts: static ones, then loaded writable, then loaded read-only. */
function resolveMessage(
  context: InstructionContext,
  message: Message,
  vault: Address,
): readonly AccountMeta[] {
  const lookups = message.addressTableLookups;
  const remaining = context.accounts.slice(OWN_ACCOUNTS);
  const tables = requireTables(context, message, remaining.slice(0, lookups.length));
  const given = remaining.slice(lookups.length);
  const loadedCount = lookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) =>
      sum + writableIndexes.length + readonlyIndexes.length,
    0,
  );
  const expected = message.accountKeys.length + loadedCount;
  ensure(context, given.length === expected, "InvalidNumberOfAccounts");
  return [
    ...requireStaticAccounts(context, message, given, vault),
    ...requireLoadedAccounts(context, message, given, tables),
  ];
}

/** Executes an approved transaction's instructions with the vault's signature. */
function vaultTransactionExecute(context: InstructionContext): void {
  const multisig = loadMultisig(context);
  const proposal = loadAt(context, 1, "proposal", proposalCodec);
  const transaction = loadAt(context, 2, "transaction", vaultTransactionCodec);
  const member = signerAt(context, 3, "member");
  requireMultisigSeeds(context, multisig);
  const { index, vaultIndex, message } = transaction.value;
  const expectedProposal = deriveProposal(multisig.address, index).address;
  requireSeeds(context, proposal.address, expectedProposal, "proposal");
  requireWritable(context, 1, "proposal");
  const expectedTransaction = deriveVaultTransaction(multisig.address, index).address;
  requireSeeds(context, transaction.address, expectedTransaction, "transaction");
  requireMember(context, multisig.value, member, PERMISSION.execute);
  const { status } = proposal.value;
  if (status.__kind !== "approved") throw squadsFailure(context, "InvalidProposalStatus");
  const waited = context.time.unixTime - status.timestamp;
  ensure(context, waited >= BigInt(multisig.value.timeLock), "TimeLockNotReleased");

  const vault = derive(SQUADS_PROGRAM, squadsSeeds.vault(multisig.address, vaultIndex));
  const accounts = resolveMessage(context, message, vault.address);
  const at = (place: number): AccountMeta => {
    const account = accounts[place];
    ensure(context, account !== undefined, "InvalidTransactionMessage");
    return account;
  };
  for (const { programIdIndex, accountIndexes, data } of message.instructions) {
    const metas = accountIndexes.map(at);
    const touchesProposal = metas.some(
      ({ address, isWritable }) => isWritable && address === proposal.address,
    );
    ensure(context, !touchesProposal, "ProtectedAccount");
    const programId = at(programIdIndex).address;
    context.invoke({ programId, accounts: metas, data: new Uint8Array(data) }, [vault.seeds]);
  }

  store(context, proposal.address, proposalCodec, {
    ...proposal.value,
    status: { __kind: "executed", timestamp: context.time.unixTime },
  });
}

const MAX_TIME_LOCK_SECONDS = 90 * 24 * 60 * 60;
const ALL_PERMISSIONS = 7;

function requireSound(context: InstructionContext, { members, threshold, timeLock }: Multisig) {
  const able = (permission: number) =>
    members.filter(({ permissions }) => (permissions & permission) !== 0).length;
  ensure(context, members.length > 0, "EmptyMembers");
  const keys = new Set(members.map(({ key }) => key));
  ensure(context, keys.size === members.length, "DuplicateMember");
  const areKnown = members.every(({ permissions }) => permissions <= ALL_PERMISSIONS);
  ensure(context, areKnown, "UnknownPermission");
  ensure(context, able(PERMISSION.initiate) > 0, "NoProposers");
  ensure(context, able(PERMISSION.execute) > 0, "NoExecutors");
  ensure(context, able(PERMISSION.vote) > 0, "NoVoters");
  const isReachable = threshold > 0 && threshold <= able(PERMISSION.vote);
  ensure(context, isReachable, "InvalidThreshold");
  ensure(context, timeLock <= MAX_TIME_LOCK_SECONDS, "TimeLockExceedsMaxAllowed");
}

/** Creates a multisig; its create key signs, the creator pays the rent and the creation fee. */
function multisigCreateV2(context: InstructionContext): void {
  const args = argumentsOf(context, squadsArguments.multisigCreateV2);
  const config = loadAt(context, 0, "program_config", programConfigCodec);
  const treasury = accountAt(context, 1).address;
  const { address } = accountAt(context, 2);
  const createKey = signerAt(context, 3, "create_key");
  const creator = signerAt(context, 4, "creator");
  requireProgram(context, 5, SYSTEM_PROGRAM, "system_program");

  const derived = derive(SQUADS_PROGRAM, squadsSeeds.multisig(createKey));
  const space = multisigSize(args.members.length);
  initAccount(context, address, "multisig", derived, { payer: creator, space });
  requireSeeds(context, config.address, deriveProgramConfig().address, "program_config");
  requireWritable(context, 1, "treasury");
  ensure(context, treasury === config.value.treasury, "InvalidAccount");

  const multisig: Multisig = {
    createKey,
    configAuthority: args.configAuthority ?? SYSTEM_PROGRAM,
    threshold: args.threshold,
    timeLock: args.timeLock,
    transactionIndex: 0n,
    staleTransactionIndex: 0n,
    rentCollector: args.rentCollector,
    bump: derived.bump,
    members: args.members.toSorted((a, b) => compareKeys(a.key, b.key)),
  };
  requireSound(context, multisig);
  store(context, address, multisigCodec, multisig);

  const fee = config.value.multisigCreationFee;
  if (fee === 0n) return;
  call(context, transferLamports({ from: creator, to: treasury }, fee));
}

/** Size in bytes of a config transaction without actions. */
const CONFIG_TRANSACTION_SIZE = 85;

/** Always fails: config transactions require an autonomous multisig, which this product does not create. */
function configTransactionCreate(context: InstructionContext): void {
  const multisig = loadAt(context, 0, "multisig", multisigCodec);
  const next = derive(
    SQUADS_PROGRAM,
    squadsSeeds.transaction(multisig.address, multisig.value.transactionIndex + 1n),
  );
  requireSeeds(context, accountAt(context, 1).address, next.address, "transaction");
  createDerivedAccount(context, {
    payer: signerAt(context, 3, "rent_payer"),
    address: next.address,
    space: CONFIG_TRANSACTION_SIZE,
    owner: context.programId,
    seeds: next.seeds,
  });
  const isControlled = multisig.value.configAuthority !== SYSTEM_PROGRAM;
  ensure(context, !isControlled, "NotSupportedForControlled");
  throw constraintFailure(context, "InstructionFallbackNotFound");
}

/**
 * The Squads v4 program: multisigs, vault transactions and spending limits; compute units as measured on the real
 * program.
 */
export const squadsProgram: Program = anchorProgram(SQUADS_PROGRAM, [
  { name: "multisig_create_v2", units: 22_000n, run: multisigCreateV2 },
  { name: "vault_transaction_create", units: 38_000n, run: vaultTransactionCreate },
  { name: "proposal_create", units: 18_000n, run: proposalCreate },
  { name: "proposal_approve", units: 13_000n, run: proposalApprove },
  { name: "vault_transaction_execute", units: 32_000n, run: vaultTransactionExecute },
  { name: "vault_transaction_accounts_close", units: 18_000n, run: vaultTransactionAccountsClose },
  { name: "multisig_add_spending_limit", units: 24_000n, run: addSpendingLimit },
  { name: "multisig_remove_spending_limit", units: 12_000n, run: removeSpendingLimit },
  { name: "spending_limit_use", units: 76_000n, run: useSpendingLimit },
  { name: "config_transaction_create", units: 10_000n, run: configTransactionCreate },
]);
