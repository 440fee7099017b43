import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { type FullInstruction, isSameInstruction } from "../../../solana/encoding/instruction.ts";
import {
  squadsArguments,
  vaultLife,
  deriveVaultTransaction,
} from "../../../solana/programs/squads.ts";
import {
  isStaticWritable,
  type LookupTables,
  type VaultMessage,
} from "../../../solana/programs/squads-message.ts";
import { Mismatch, insist } from "../../../venues/mismatch.ts";

/** Number of instructions of one vault operation: create, propose, approve, execute, close. */
export const VAULT_LIFE_LENGTH = 5;

const CHANGED = "The vault would not run exactly what was asked.";

function decodeArguments(first: FullInstruction, second: FullInstruction | undefined) {
  try {
    return {
      created: squadsArguments.vaultTransactionCreate.decode(first.data),
      proposed: squadsArguments.proposalCreate.decode(second?.data ?? new Uint8Array()),
    };
  } catch {
    throw new Mismatch(CHANGED);
  }
}

const HIDDEN =
  "The vault's instructions hide accounts in an unknown lookup table, so this page cannot check them.";

function loadedKeys(message: VaultMessage, tables: LookupTables) {
  const load = (pick: "writableIndexes" | "readonlyIndexes"): Address[] =>
    message.addressTableLookups.flatMap((lookup) =>
      lookup[pick].map((at) => {
        const key = tables[lookup.accountKey]?.[at];
        insist(key !== undefined, HIDDEN);
        return key;
      }),
    );
  return { writable: load("writableIndexes"), readonly: load("readonlyIndexes") };
}

function expand(message: VaultMessage, tables: LookupTables): Instruction[] {
  const loaded = loadedKeys(message, tables);
  const keys = [...message.accountKeys, ...loaded.writable, ...loaded.readonly];
  const keyAt = (index: number): Address => {
    const key = keys[index];
    insist(key !== undefined, CHANGED);
    return key;
  };
  const calledAt = (index: number): Address => {
    const program = message.accountKeys[index];
    insist(program !== undefined, "The vault would call a program hidden in a lookup table.");
    return program;
  };
  const firstReadonly = message.accountKeys.length + loaded.writable.length;
  const roleAt = (index: number): AccountRole => {
    const isWritable =
      index < message.accountKeys.length ? isStaticWritable(message, index) : index < firstReadonly;
    if (index < message.numSigners) {
      return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
    }
    return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
  };
  return message.instructions.map((each) => ({
    programAddress: calledAt(each.programIdIndex),
    accounts: each.accountIndexes.map((index) => ({ address: keyAt(index), role: roleAt(index) })),
    data: new Uint8Array(each.data),
  }));
}

/**
 * Reads what the vault would run out of the five instructions of one vault operation.
 *
 * The five are made anew from what was read and must come out the same, so nothing can hide in accounts, order or memo.
 */
export function readVaultLife(
  life: readonly FullInstruction[],
  mine: {
    readonly wallet: Address;
    readonly multisig: Address;
    readonly vault: Address;
    /** Lookup tables the vault's message may name. */
    readonly tables: LookupTables;
  },
): readonly Instruction[] {
  const [first, second] = life;
  insist(first !== undefined && life.length === VAULT_LIFE_LENGTH, CHANGED);
  const { created, proposed } = decodeArguments(first, second);
  const { message } = created;
  insist(
    message.numSigners === 1 && message.accountKeys[0] === mine.vault,
    "The vault's instructions want a signature that is not the vault's.",
  );
  insist(
    first.accounts[1]?.address ===
      deriveVaultTransaction(mine.multisig, proposed.transactionIndex).address,
    "The transaction belongs to a multisig that is not this agent's.",
  );
  const inner = expand(message, mine.tables);
  const expected = vaultLife({
    multisig: mine.multisig,
    transactionIndex: proposed.transactionIndex,
    member: mine.wallet,
    vault: mine.vault,
    rentCollector: mine.wallet,
    instructions: inner,
    tables: Object.fromEntries(
      message.addressTableLookups.map(({ accountKey }) => [
        accountKey,
        mine.tables[accountKey] ?? [],
      ]),
    ),
  });
  insist(
    expected.every((each, at) => {
      const given = life[at];
      return given !== undefined && isSameInstruction(each, given);
    }),
    CHANGED,
  );
  return inner;
}
