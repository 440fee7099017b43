import { type Address, type Signature, signature } from "@solana/kit";
import { decodeBase58 } from "../domain/base58.ts";
import { addressBytes } from "./encoding/address-codec.ts";

/** Reads an address from its base58 text. Throws when the text is not one of 32 bytes. */
export function parseAddress(text: string): Address {
  const address = text as Address;
  addressBytes(address);
  return address;
}

/** Returns whether a value is the base58 text of 32 bytes. */
export function isAddress(value: unknown): value is Address {
  try {
    return typeof value === "string" && parseAddress(value) === value;
  } catch {
    return false;
  }
}

/** Reads a transaction's signature from its base58 text. Throws when the text is not one of 64 bytes. */
export function parseSignature(text: string): Signature {
  return signature(text);
}

/** Returns the 64 bytes of a signature's base58 text. Throws when there are more or fewer. */
export function signatureBytes(text: string): Uint8Array {
  const bytes = decodeBase58(text, 64);
  if (bytes === null) throw new Error("A signature has 64 bytes");
  return bytes;
}
