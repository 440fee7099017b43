import { type Address, type Signature, signature } from "@solana/kit";
import { decodeBase58, encodeBase58 } from "../../domain/base58.ts";
import { type InPlaceCodec, inPlace } from "./in-place.ts";

/** The same few thousand addresses recur in reading and writing transactions. */
const MAX_KEPT = 20_000;
const bytesOfAddress = new Map<Address, Uint8Array>();
const addressOfBytes = new Map<string, Address>();

/** Returns the 32 bytes of an address. Throws for a text that is none. The result is shared: never write to it. */
export function addressBytes(address: Address): Uint8Array {
  const known = bytesOfAddress.get(address);
  if (known !== undefined) return known;
  const bytes = decodeBase58(address, 32);
  if (bytes === null) throw new Error("An address is 32 bytes in base58");
  if (bytesOfAddress.size >= MAX_KEPT) bytesOfAddress.clear();
  bytesOfAddress.set(address, bytes);
  return bytes;
}

/** Returns the address of 32 bytes. Throws when there are fewer. */
export function addressOf(bytes: Uint8Array): Address {
  return addressCodec.decode(bytes);
}

const ADDRESS_BYTES = 32;

/** The bytes as text, two a character: bytes are no key of a map, and a copy of them for each look costs more. */
function keyAt(view: DataView, at: number): string {
  let key = "";
  for (let byte = at; byte < at + ADDRESS_BYTES; byte += 2) {
    key += String.fromCharCode(view.getUint16(byte));
  }
  return key;
}

function readAddress(view: DataView, at: number): Address {
  const key = keyAt(view, at);
  const known = addressOfBytes.get(key);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, ADDRESS_BYTES);
  const address = encodeBase58(bytes) as Address;
  if (addressOfBytes.size >= MAX_KEPT) addressOfBytes.clear();
  addressOfBytes.set(key, address);
  return address;
}

/** Reads and writes addresses as 32 bytes. */
export const addressCodec: InPlaceCodec<Address, 32> = inPlace(
  ADDRESS_BYTES,
  readAddress,
  (view, at, address) =>
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(addressBytes(address), at),
);

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
