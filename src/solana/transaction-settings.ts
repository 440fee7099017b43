import type { CompiledTransactionMessage } from "@solana/kit";

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
export const MAX_LOADED_ACCOUNTS_BYTES = 64 * 1024 * 1024;

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
