import type { ReadonlyUint8Array } from "@solana/kit";

interface Codec<T> {
  decode(bytes: ReadonlyUint8Array): T;
  encode(value: NoInfer<T>): ReadonlyUint8Array;
}

/** Reads arguments, or null when the bytes do not read back to themselves: those hide something behind the arguments. */
export function readExactly<T>(codec: Codec<T>, data: ReadonlyUint8Array): T | null {
  try {
    const value = codec.decode(data);
    const written = codec.encode(value);
    const isSame = written.length === data.length && written.every((byte, at) => byte === data[at]);
    return isSame ? value : null;
  } catch {
    return null;
  }
}
