import type { Address } from "@solana/kit";
import { getUtf8Encoder } from "@solana/kit";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { u16, u32, u64 } from "../../solana/number-codecs.ts";

const utf8 = getUtf8Encoder();

/** Reads the address at an offset. */
export function readAddress(data: Uint8Array, offset: number): Address {
  return addressCodec.read(data, offset)[0];
}

/** Returns the UTF-8 bytes of a text. */
export function utf8Bytes(text: string): Uint8Array {
  return new Uint8Array(utf8.encode(text));
}

/** Reads a little-endian u64. Throws `RangeError` when the data is too short. */
export function readU64(data: Uint8Array, offset: number): bigint {
  return u64.read(data, offset)[0];
}

/** Reads a little-endian u32. Throws `RangeError` when the data is too short. */
export function readU32(data: Uint8Array, offset: number): number {
  return u32.read(data, offset)[0];
}

/** Returns the two little-endian bytes of a u16. */
export function u16Bytes(value: number): Uint8Array {
  return new Uint8Array(u16.encode(value));
}

/** Returns the eight little-endian bytes of a u64. */
export function u64Bytes(value: bigint): Uint8Array {
  return new Uint8Array(u64.encode(value));
}

/** Joins byte strings. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Returns whether two byte strings are equal. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}
