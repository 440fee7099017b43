import { getF64Decoder, getF64Encoder } from "@solana/kit";
import { readU64, u64Bytes } from "./bytes.ts";

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
