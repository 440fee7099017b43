import { type Address, address, getBase58Codec, type Signature, signature } from "@solana/kit";

/** Reads an address from its base58 text. Throws when the text is not one of 32 bytes. */
export function parseAddress(text: string): Address {
  return address(text);
}

/** Reads a transaction's signature from its base58 text. Throws when the text is not one of 64 bytes. */
export function parseSignature(text: string): Signature {
  return signature(text);
}

/** Returns the 64 bytes of a signature. */
export function signatureBytes(text: Signature): Uint8Array {
  return new Uint8Array(getBase58Codec().encode(text));
}
