import {
  type Address,
  createCodec,
  type FixedSizeCodec,
  getAddressDecoder,
  getAddressEncoder,
} from "@solana/kit";

const encoder = getAddressEncoder();
const decoder = getAddressDecoder();

/** Base58 conversion dominates reading and writing transactions, and the same few thousand addresses recur. */
const MAX_KEPT = 20_000;
const bytesOfAddress = new Map<Address, Uint8Array>();
const addressOfBytes = new Map<string, Address>();

/** Returns the 32 bytes of an address. The result is shared: never write to it. */
export function addressBytes(address: Address): Uint8Array {
  const known = bytesOfAddress.get(address);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(encoder.encode(address));
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
    const key = String.fromCharCode(...bytes.slice(offset, offset + 32));
    const known = addressOfBytes.get(key);
    if (known !== undefined) return [known, offset + 32];
    const [address, end] = decoder.read(bytes, offset);
    if (addressOfBytes.size >= MAX_KEPT) addressOfBytes.clear();
    addressOfBytes.set(key, address);
    return [address, end];
  },
});
