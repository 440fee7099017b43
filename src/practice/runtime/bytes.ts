import { type Address, address } from "@solana/kit";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { u16, u32, u64 } from "../../solana/number-codecs.ts";

/** Reads the address at an offset. */
export function readAddress(data: Uint8Array, offset: number): Address {
  return addressCodec.read(data, offset)[0];
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

export const NATIVE_LOADER = address("NativeLoader1111111111111111111111111111111");
export const UPGRADEABLE_LOADER = address("BPFLoaderUpgradeab1e11111111111111111111111");
export const SYSVAR_OWNER = address("Sysvar1111111111111111111111111111111111111");
export const WRAPPED_SOL_MINT = address("So11111111111111111111111111111111111111112");

interface Decoder<T> {
  decode(data: Uint8Array): T;
}

/** Account data is immutable, so its decoded form can be cached as long as the data exists. */
const decoded = new WeakMap<Decoder<unknown>, WeakMap<Uint8Array, unknown>>();

/** Decodes an account's data once per data and decoder. The result is shared: never change it. */
export function decodeOnce<T>(codec: Decoder<T>, data: Uint8Array): T {
  let known = decoded.get(codec);
  if (known === undefined) {
    known = new WeakMap();
    decoded.set(codec, known);
  }
  if (known.has(data)) return known.get(data) as T;
  const value = codec.decode(data);
  known.set(data, value);
  return value;
}
