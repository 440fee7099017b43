import { AccountRole, type AccountMeta, type Address, type Instruction } from "@solana/kit";
import type { LookupTables } from "./programs/squads-message.ts";
import { settingsOf, type TransactionSettings } from "./transaction.ts";
import { instructionsOf, readWire, type SignerSlot } from "./wire.ts";

/**
 * A transaction decoded from its wire bytes. Roles are the message's: writable when any instruction writes the account.
 */
export interface DecodedTransaction {
  readonly feePayer: Address;
  readonly blockhash: string;
  readonly messageBytes: Uint8Array;
  readonly signers: readonly SignerSlot[];
  readonly instructions: readonly Required<Instruction>[];
  /** Compute budget in the header; null before version 1, where instructions set it. */
  readonly settings: TransactionSettings | null;
}

interface Header {
  readonly numSignerAccounts: number;
  readonly numReadonlySignerAccounts: number;
  readonly numReadonlyNonSignerAccounts: number;
}

function calledProgram(staticAccounts: readonly Address[], at: number): Address {
  const program = staticAccounts[at];
  if (program === undefined) throw new Error(`The transaction calls no program ${at}`);
  return program;
}

function staticRole(header: Header, count: number, at: number): AccountRole {
  if (at < header.numSignerAccounts) {
    return at < header.numSignerAccounts - header.numReadonlySignerAccounts
      ? AccountRole.WRITABLE_SIGNER
      : AccountRole.READONLY_SIGNER;
  }
  return at < count - header.numReadonlyNonSignerAccounts
    ? AccountRole.WRITABLE
    : AccountRole.READONLY;
}

function loadedKeys(
  lookups: readonly {
    readonly lookupTableAddress: Address;
    readonly writableIndexes: readonly number[];
    readonly readonlyIndexes: readonly number[];
  }[],
  tables: LookupTables,
  pick: "writableIndexes" | "readonlyIndexes",
): Address[] {
  return lookups.flatMap((lookup) =>
    lookup[pick].map((at) => {
      const key = tables[lookup.lookupTableAddress]?.[at];
      if (key === undefined) {
        throw new Error(`Lookup table ${lookup.lookupTableAddress} has no known entry ${at}`);
      }
      return key;
    }),
  );
}

/** Returns the lookup tables a transaction names. Throws on malformed bytes. */
export function lookupTablesOf(wire: Uint8Array): readonly Address[] {
  const { message } = readWire(wire);
  if (message.version !== 0) return [];
  return (message.addressTableLookups ?? []).map(({ lookupTableAddress }) => lookupTableAddress);
}

/**
 * Decodes wire bytes. Throws on malformed bytes, on unknown versions and settings, on unknown table entries, and on
 * program addresses loaded from a table, which the chain does not call.
 */
export function decodeTransaction(wire: Uint8Array, tables: LookupTables = {}): DecodedTransaction {
  const { message, messageBytes, signers } = readWire(wire);
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  const keys: AccountMeta[] = [
    ...message.staticAccounts.map((address, at) => ({
      address,
      role: staticRole(message.header, message.staticAccounts.length, at),
    })),
    ...loadedKeys(lookups, tables, "writableIndexes").map((address) => ({
      address,
      role: AccountRole.WRITABLE as const,
    })),
    ...loadedKeys(lookups, tables, "readonlyIndexes").map((address) => ({
      address,
      role: AccountRole.READONLY as const,
    })),
  ];
  const key = (at: number): AccountMeta => {
    const meta = keys[at];
    if (meta === undefined) throw new Error(`The transaction names no account ${at}`);
    return meta;
  };
  return {
    feePayer: key(0).address,
    blockhash: message.lifetimeToken,
    messageBytes,
    signers,
    instructions: instructionsOf(message).map(({ programIndex, accountIndexes, data }) => ({
      programAddress: calledProgram(message.staticAccounts, programIndex),
      accounts: accountIndexes.map(key),
      data,
    })),
    settings: settingsOf(message),
  };
}
