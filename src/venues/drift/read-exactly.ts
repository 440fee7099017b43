import type { ReadonlyUint8Array } from "@solana/kit";
import { sameBytes } from "../../solana/encoding/instruction.ts";

interface Codec<T> {
  decode(bytes: ReadonlyUint8Array): T;
  encode(value: NoInfer<T>): ReadonlyUint8Array;
}

/**
 * Decodes arguments, or returns null when encoding them again gives other bytes: trailing bytes could hide something.
 */
export function readExactly<T>(codec: Codec<T>, data: ReadonlyUint8Array): T | null {
  try {
    const value = codec.decode(data);
    return sameBytes(codec.encode(value), data) ? value : null;
  } catch {
    return null;
  }
}
