import { type Address, getF64Decoder, getF64Encoder } from "@solana/kit";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { readU64, u64Bytes } from "./bytes.ts";

/** One account's content. It is immutable, so that a rollback only discards references. */
export interface AccountState {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

const NO_DATA = new Uint8Array(0);

/** Account state at an address without lamports. */
export const EMPTY_ACCOUNT: AccountState = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: NO_DATA,
  executable: false,
};

export type ReadAccount = (address: Address) => AccountState | undefined;

/** Account changes on top of a base: committed by merging into the base, rolled back by discarding. */
export type Overlay = ReturnType<typeof createOverlay>;

/** Creates an overlay over the accounts `base` reads. */
export function createOverlay(base: ReadAccount) {
  const changes = new Map<Address, AccountState>();
  return {
    changes: changes as ReadonlyMap<Address, AccountState>,
    get: (address: Address) => changes.get(address) ?? base(address) ?? EMPTY_ACCOUNT,
    set: (address: Address, state: AccountState) => void changes.set(address, state),
  };
}

/** Default rent per byte of an account, in lamports. */
export const RENT_PER_BYTE = 6_960n;

/** Overhead in bytes charged for every account beside its data. */
const ACCOUNT_STORAGE_OVERHEAD = 128n;

/** Returns the rent-exempt minimum of an account in lamports. */
export function rentExemptMinimum(dataLength: number, perByte = RENT_PER_BYTE): bigint {
  return (ACCOUNT_STORAGE_OVERHEAD + BigInt(dataLength)) * perByte;
}

/**
 * Returns the content of the Rent sysvar: the price per byte, an exemption threshold of one instead of two years, and
 * the burn percentage.
 */
export function rentSysvarData(perByte: bigint): Uint8Array {
  const data = new Uint8Array(17);
  data.set(u64Bytes(perByte));
  data.set(getF64Encoder().encode(1), 8);
  data[16] = 50;
  return data;
}

/** Returns the rent per byte from the Rent sysvar in either form; the default price without a sysvar. */
export function rentPerByteOf(sysvar: Uint8Array): bigint {
  if (sysvar.length < 16) return RENT_PER_BYTE;
  return readU64(sysvar, 0) * BigInt(getF64Decoder().decode(sysvar, 8));
}
