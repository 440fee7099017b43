import {
  type AccountMeta,
  type Address,
  type Codec,
  type Instruction,
  type NumberCodec,
  type ReadonlyUint8Array,
  addCodecSizePrefix,
  getArrayCodec,
  getBytesCodec,
  getStructCodec,
  getU16Codec,
  getU32Codec,
  getU8Codec,
  isSignerRole,
  isWritableRole,
} from "@solana/kit";
import { addressCodec } from "../encoding/address-codec.ts";
import { readonly, signer, writable, writableSigner } from "../encoding/instruction.ts";

/** One instruction inside a vault transaction; accounts are indexes into the message's keys. */
export interface VaultInstruction {
  programIdIndex: number;
  accountIndexes: number[];
  data: ReadonlyUint8Array;
}

/** Keys of a message that are loaded from a lookup table, by index. */
export interface TableLookup {
  accountKey: Address;
  writableIndexes: number[];
  readonlyIndexes: number[];
}

/**
 * Message a vault executes. Keys are ordered writable signers, read-only signers, writable others, read-only others;
 * higher indexes refer to the tables' writable keys, then to their read-only keys.
 */
export interface VaultMessage {
  numSigners: number;
  numWritableSigners: number;
  numWritableNonSigners: number;
  accountKeys: Address[];
  instructions: VaultInstruction[];
  addressTableLookups: TableLookup[];
}

/** Addresses of lookup tables by table address. */
export type LookupTables = Readonly<Record<Address, readonly Address[]>>;

function messageCodec(count: NumberCodec, dataSize: NumberCodec): Codec<VaultMessage> {
  const indexes = getArrayCodec(getU8Codec(), { size: count });
  return getStructCodec([
    ["numSigners", getU8Codec()],
    ["numWritableSigners", getU8Codec()],
    ["numWritableNonSigners", getU8Codec()],
    ["accountKeys", getArrayCodec(addressCodec, { size: count })],
    [
      "instructions",
      getArrayCodec(
        getStructCodec([
          ["programIdIndex", getU8Codec()],
          ["accountIndexes", indexes],
          ["data", addCodecSizePrefix(getBytesCodec(), dataSize)],
        ]),
        { size: count },
      ),
    ],
    [
      "addressTableLookups",
      getArrayCodec(
        getStructCodec([
          ["accountKey", addressCodec],
          ["writableIndexes", indexes],
          ["readonlyIndexes", indexes],
        ]),
        { size: count },
      ),
    ],
  ]);
}

/** The message as an argument of `vaultTransactionCreate`: 8-bit counts, 16-bit data lengths. */
export const vaultMessageArgumentCodec = messageCodec(getU8Codec(), getU16Codec());

/** The message as the VaultTransaction account stores it: 32-bit counts everywhere. */
export const vaultMessageStoredCodec = messageCodec(getU32Codec(), getU32Codec());

interface KeyUse {
  isSigner: boolean;
  isWritable: boolean;
}

function collectKeys(vault: Address, instructions: readonly Instruction[]): Map<Address, KeyUse> {
  const keys = new Map<Address, KeyUse>([[vault, { isSigner: true, isWritable: true }]]);
  const use = (key: Address, isSigner: boolean, isWritable: boolean): void => {
    const known = keys.get(key) ?? { isSigner: false, isWritable: false };
    keys.set(key, {
      isSigner: known.isSigner || isSigner,
      isWritable: known.isWritable || isWritable,
    });
  };
  for (const { programAddress, accounts = [] } of instructions) {
    use(programAddress, false, false);
    for (const { address, role } of accounts) {
      use(address, isSignerRole(role), isWritableRole(role));
    }
  }
  return keys;
}

/**
 * Compiles instructions for the vault into the message Squads stores, with the vault as the first signer.
 *
 * Program addresses stay in the message even where a table contains them, so that a reader knows what runs without
 * trusting the content of a table.
 */
export function compileInner(
  vault: Address,
  instructions: readonly Instruction[],
  tables: LookupTables = {},
): VaultMessage {
  const keys = collectKeys(vault, instructions);
  const called = new Set(instructions.map(({ programAddress }) => programAddress));
  const lookups: TableLookup[] = [];
  const loadedWritable: Address[] = [];
  const loadedReadonly: Address[] = [];
  for (const [table, entries] of Object.entries(tables) as [Address, readonly Address[]][]) {
    const lookup: TableLookup = { accountKey: table, writableIndexes: [], readonlyIndexes: [] };
    for (const [key, { isSigner, isWritable }] of keys) {
      const at = entries.indexOf(key);
      if (isSigner || at < 0 || called.has(key)) continue;
      (isWritable ? lookup.writableIndexes : lookup.readonlyIndexes).push(at);
      (isWritable ? loadedWritable : loadedReadonly).push(key);
      keys.delete(key);
    }
    if (lookup.writableIndexes.length + lookup.readonlyIndexes.length > 0) lookups.push(lookup);
  }
  const pick = (isSigner: boolean, isWritable: boolean): Address[] =>
    [...keys]
      .filter(([, use]) => use.isSigner === isSigner && use.isWritable === isWritable)
      .map(([key]) => key);
  const writableSigners = pick(true, true);
  const readonlySigners = pick(true, false);
  const writableOthers = pick(false, true);
  const accountKeys = [
    ...writableSigners,
    ...readonlySigners,
    ...writableOthers,
    ...pick(false, false),
  ];
  const places = new Map(
    [...accountKeys, ...loadedWritable, ...loadedReadonly].map((key, at) => [key, at] as const),
  );
  const place = (key: Address): number => {
    const at = places.get(key);
    if (at === undefined) throw new Error(`Key ${key} is not in the message`);
    return at;
  };
  return {
    numSigners: writableSigners.length + readonlySigners.length,
    numWritableSigners: writableSigners.length,
    numWritableNonSigners: writableOthers.length,
    accountKeys,
    instructions: instructions.map(({ programAddress, accounts = [], data }) => ({
      programIdIndex: place(programAddress),
      accountIndexes: accounts.map(({ address }) => place(address)),
      data: data ?? new Uint8Array(0),
    })),
    addressTableLookups: lookups,
  };
}

/** Returns whether the message's static key at this index is writable. */
export function isStaticWritable(message: VaultMessage, at: number): boolean {
  if (at < message.numSigners) return at < message.numWritableSigners;
  return at - message.numSigners < message.numWritableNonSigners;
}

/**
 * Returns the accounts of `vaultTransactionExecute` after its own four: tables, static keys, loaded keys. The program
 * signs for the vault, the first key; other signers sign the transaction. Throws when a table the message uses is
 * missing.
 */
export function executionAccounts(
  message: VaultMessage,
  tables: LookupTables = {},
): readonly AccountMeta[] {
  const loaded = (pick: "writableIndexes" | "readonlyIndexes"): Address[] =>
    message.addressTableLookups.flatMap((lookup) =>
      lookup[pick].map((at) => {
        const key = tables[lookup.accountKey]?.[at];
        if (key === undefined)
          throw new Error(`Lookup table ${lookup.accountKey} lacks entry ${at}`);
        return key;
      }),
    );
  return [
    ...message.addressTableLookups.map(({ accountKey }) => readonly(accountKey)),
    ...message.accountKeys.map((key, at) => {
      const signs = at > 0 && at < message.numSigners;
      if (isStaticWritable(message, at)) return signs ? writableSigner(key) : writable(key);
      return signs ? signer(key) : readonly(key);
    }),
    ...loaded("writableIndexes").map(writable),
    ...loaded("readonlyIndexes").map(readonly),
  ];
}
