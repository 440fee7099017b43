import { type Address, createCodec, type FixedSizeCodec } from "@solana/kit";
import { decodeBase58, encodeBase58 } from "../../domain/base58.ts";

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

/** Reads and writes addresses as 32 bytes. */
export const addressCodec: FixedSizeCodec<Address, Address, 32> = createCodec({
  fixedSize: 32,
  write(address: Address, bytes, offset) {
    bytes.set(addressBytes(address), offset);
    return offset + 32;
  },
  read(bytes, offset): [Address, number] {
    const slice = bytes.slice(offset, offset + 32);
    if (slice.length < 32) throw new Error("An address has 32 bytes");
    const key = String.fromCharCode(...slice);
    const known = addressOfBytes.get(key);
    if (known !== undefined) return [known, offset + 32];
    const address = encodeBase58(slice as Uint8Array) as Address;
    if (addressOfBytes.size >= MAX_KEPT) addressOfBytes.clear();
    addressOfBytes.set(key, address);
    return [address, offset + 32];
  },
});
