import { getF64Decoder, getF64Encoder } from "@solana/kit";
import { readU64, u64Bytes } from "./bytes.ts";

/** Lamports an account costs for each of its bytes unless the chain was told otherwise. */
export const RENT_PER_BYTE = 6_960n;

/** Bytes every account is charged beside its data. */
const ACCOUNT_STORAGE_OVERHEAD = 128n;

/** Returns the lamports that make an account of that many bytes exempt from rent. */
export function rentExemptMinimum(dataLength: number, perByte = RENT_PER_BYTE): bigint {
  return (ACCOUNT_STORAGE_OVERHEAD + BigInt(dataLength)) * perByte;
}

/** Returns the content of the Rent sysvar: the price of a byte, held once instead of for two years, and what is burnt. */
export function rentSysvarData(perByte: bigint): Uint8Array {
  const data = new Uint8Array(17);
  data.set(u64Bytes(perByte));
  data.set(getF64Encoder().encode(1), 8);
  data[16] = 50;
  return data;
}

/** Returns what the Rent sysvar asks for each byte, be it told by the year; the usual price where there is no sysvar. */
export function rentPerByteOf(sysvar: Uint8Array): bigint {
  if (sysvar.length < 16) return RENT_PER_BYTE;
  return readU64(sysvar, 0) * BigInt(getF64Decoder().decode(sysvar, 8));
}
