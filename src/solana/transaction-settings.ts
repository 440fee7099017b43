import type { CompiledTransactionMessage } from "@solana/kit";

/** What a version 1 transaction asks of the runtime in its header; null where it leaves a value out, which counts as 0. */
export interface TransactionSettings {
  readonly computeUnitLimit: number | null;
  /** Whole lamports beside the signatures' fee, not a price per unit. */
  readonly priorityFeeLamports: bigint | null;
  /** Most bytes of the accounts it loads, programs included. */
  readonly loadedAccountsBytes: number | null;
  readonly heapBytes: number | null;
}

const FEE_BITS = 0b11;
const UNITS_BIT = 0b100;
const LOADED_BIT = 0b1000;
const HEAP_BIT = 0b1_0000;
const ALL_BITS = FEE_BITS | UNITS_BIT | LOADED_BIT | HEAP_BIT;

/** Most bytes of accounts a transaction may load, and what earlier versions are given unasked. */
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
