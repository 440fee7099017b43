import {
  type Address,
  type Blockhash,
  type Instruction,
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  isSolanaError,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  SOLANA_ERROR__TRANSACTION__TOO_MANY_ACCOUNT_ADDRESSES,
  type CompiledTransactionMessage,
} from "@solana/kit";
import type { LookupTables } from "./programs/squads-message.ts";
import type { CompiledMessage } from "./message-codec.ts";
import { isVersion1, readWire, unsignedWire } from "./wire.ts";

/** Largest wire size in bytes of a transaction up to version 0: one IPv6 packet less headers. */
export const TRANSACTION_SIZE_LIMIT = 1232;

/** Largest wire size in bytes of a version 1 transaction. Source: SIMD-0385 */
export const V1_TRANSACTION_SIZE_LIMIT = 4096;

/**
 * Bytes a wallet may add before it signs: Phantom appends Lighthouse assertions with their program's address
 * (docs.phantom.com, Lighthouse); wallets that added 270 bytes were seen.
 */
export const WALLET_ROOM = 270;

/** Transaction version for an owner's wallet. Version 1 is larger and uses no lookup tables. */
export type OwnerVersion = 0 | 1;

/**
 * Returns the largest size in bytes of a transaction of the version, with or without the space a wallet needs on
 * mainnet.
 */
export function roomOf(version: OwnerVersion, leavesWalletRoom: boolean): number {
  const limit = version === 1 ? V1_TRANSACTION_SIZE_LIMIT : TRANSACTION_SIZE_LIMIT;
  return leavesWalletRoom ? limit - WALLET_ROOM : limit;
}

/** Returns the largest size in bytes of a transaction, by the version its first bytes show. */
export function sizeLimitOf(bytes: Uint8Array): number {
  return isVersion1(bytes) ? V1_TRANSACTION_SIZE_LIMIT : TRANSACTION_SIZE_LIMIT;
}

interface TransactionDraft {
  readonly feePayer: Address;
  readonly lifetime: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint };
  readonly instructions: readonly Instruction[];
}

/** Compiles instructions into unsigned v0 wire bytes; required signatures are zeros. The size is not checked here. */
export function compileTransaction(
  draft: TransactionDraft & { readonly tables?: LookupTables },
): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(draft.feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(draft.lifetime, paid),
    (timed) => appendTransactionMessageInstructions(draft.instructions, timed),
    (full) =>
      compressTransactionMessageUsingAddressLookupTables(
        full,
        mutableTables(draft.tables ?? {}) as never,
      ),
  );
  return unsignedWire(compileTransactionMessage(message as never) as CompiledMessage);
}

/**
 * Compiles instructions into unsigned version 1 wire bytes: all addresses in full, the compute budget in the header.
 *
 * Absent limits count as zero in a version 1 transaction: it may then load nothing and compute nothing.
 */
export function compileV1Transaction(
  draft: TransactionDraft & {
    readonly computeUnitLimit: number;
    readonly priorityFeeLamports: bigint;
  },
): Uint8Array {
  const { computeUnitLimit, priorityFeeLamports } = draft;
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(draft.feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(draft.lifetime, paid),
    (timed) => appendTransactionMessageInstructions(draft.instructions, timed),
    (full) =>
      setTransactionMessageConfig(
        {
          computeUnitLimit,
          priorityFeeLamports,
          loadedAccountsDataSizeLimit: MAX_LOADED_ACCOUNTS_BYTES,
        },
        full,
      ),
  );
  return unsignedWire(compileTransactionMessage(message));
}

/** Returns whether compiling failed because the transaction names more accounts than its version allows. */
export function isTooManyAccounts(error: unknown): boolean {
  return isSolanaError(error, SOLANA_ERROR__TRANSACTION__TOO_MANY_ACCOUNT_ADDRESSES);
}

/** Returns the transaction unsigned and with another blockhash, otherwise unchanged. Throws on malformed bytes. */
export function withBlockhash(bytes: Uint8Array, blockhash: Blockhash): Uint8Array {
  return unsignedWire({ ...readWire(bytes).message, lifetimeToken: blockhash });
}

function mutableTables(tables: LookupTables): Record<Address, Address[]> {
  return Object.fromEntries(
    Object.entries(tables).map(([table, addresses]) => [table, [...(addresses as Address[])]]),
  ) as Record<Address, Address[]>;
}

/** Runtime settings in the header of a version 1 transaction; null for an absent value, which counts as 0. */
export interface TransactionSettings {
  readonly computeUnitLimit: number | null;
  /** Total priority fee in lamports beside the signature fee, not a unit price. */
  readonly priorityFeeLamports: bigint | null;
  /** Limit on the bytes of loaded accounts, programs included. */
  readonly loadedAccountsBytes: number | null;
  readonly heapBytes: number | null;
}

const FEE_BITS = 0b11;
const UNITS_BIT = 0b100;
const LOADED_BIT = 0b1000;
const HEAP_BIT = 0b1_0000;
const ALL_BITS = FEE_BITS | UNITS_BIT | LOADED_BIT | HEAP_BIT;

/** Largest total size of loaded accounts in bytes, and the default of earlier versions. */
const MAX_LOADED_ACCOUNTS_BYTES = 64 * 1024 * 1024;

/** Reads the settings of a version 1 message; null for earlier versions. Throws on a mask the runtime does not know. */
export function settingsOf(message: CompiledTransactionMessage): TransactionSettings | null {
  if (message.version !== 1) return null;
  const { configMask, configValues } = message;
  const fee = configMask & FEE_BITS;
  if ((configMask & ~ALL_BITS) !== 0 || (fee !== 0 && fee !== FEE_BITS)) {
    throw new Error(`Transaction settings ${configMask} are not known`);
  }
  const values = configValues.map(({ value }) => value);
  const has = (bits: number): boolean => (configMask & bits) !== 0;
  const whole = (bits: number): bigint | null => (has(bits) ? BigInt(values.shift() ?? 0) : null);
  const small = (bits: number): number | null => {
    const value = has(bits) ? values.shift() : null;
    return typeof value === "number" ? value : null;
  };
  return {
    priorityFeeLamports: whole(FEE_BITS),
    computeUnitLimit: small(UNITS_BIT),
    loadedAccountsBytes: small(LOADED_BIT),
    heapBytes: small(HEAP_BIT),
  };
}
