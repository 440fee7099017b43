import type { Address } from "@solana/kit";
import type { VaultTransaction } from "../../../solana/programs/squads-accounts.ts";
import { proposalCodec, vaultTransactionCodec } from "../../../solana/programs/squads-accounts.ts";
import {
  decodeLookupTable,
  LOOKUP_TABLE_PROGRAM,
} from "../../../solana/programs/address-lookup-table.ts";
import { isStaticWritable } from "../../../solana/programs/squads-message.ts";
import type { AccountMeta, InstructionContext } from "../../runtime/program.ts";
import { loadAt, requireSeeds, requireWritable, signerAt, store } from "../anchor.ts";
import {
  loadMultisig,
  PERMISSION,
  proposalDerivation,
  requireMember,
  requireMultisigSeeds,
  transactionDerivation,
  vaultDerivation,
} from "./multisig-accounts.ts";
import { ensure, squadsFailure } from "./squads-failures.ts";

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
export function vaultTransactionExecute(context: InstructionContext): void {
  const multisig = loadMultisig(context);
  const proposal = loadAt(context, 1, "proposal", proposalCodec);
  const transaction = loadAt(context, 2, "transaction", vaultTransactionCodec);
  const member = signerAt(context, 3, "member");
  requireMultisigSeeds(context, multisig);
  const { index, vaultIndex, message } = transaction.value;
  const expectedProposal = proposalDerivation(multisig.address, index).address;
  requireSeeds(context, proposal.address, expectedProposal, "proposal");
  requireWritable(context, 1, "proposal");
  const expectedTransaction = transactionDerivation(multisig.address, index).address;
  requireSeeds(context, transaction.address, expectedTransaction, "transaction");
  requireMember(context, multisig.value, member, PERMISSION.execute);
  const { status } = proposal.value;
  if (status.__kind !== "approved") throw squadsFailure(context, "InvalidProposalStatus");
  const waited = context.time.unixTime - status.timestamp;
  ensure(context, waited >= BigInt(multisig.value.timeLock), "TimeLockNotReleased");

  const vault = vaultDerivation(multisig.address, vaultIndex);
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
