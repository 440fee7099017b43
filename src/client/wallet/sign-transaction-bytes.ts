/** Reads Solana's variable-length count. */
function readCount(bytes: Uint8Array, start: number): { count: number; next: number } {
  let count = 0;
  for (let index = 0; index < 3; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new Error("The transaction ends early");
    count |= (byte & 0x7f) << (7 * index);
    if ((byte & 0x80) === 0) return { count, next: start + index + 1 };
  }
  throw new Error("The transaction has a bad count");
}

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** Returns the transaction with our signature in the place its message assigns to our key. */
export function signTransactionBytes(
  transaction: Uint8Array,
  publicKey: Uint8Array,
  sign: (message: Uint8Array) => Uint8Array,
): { transaction: Uint8Array; signature: Uint8Array } {
  const signatures = readCount(transaction, 0);
  const messageStart = signatures.next + signatures.count * SIGNATURE_BYTES;
  const message = transaction.subarray(messageStart);
  const isVersioned = ((message[0] ?? 0) & 0x80) !== 0;
  const header = isVersioned ? 1 : 0;
  const required = message[header] ?? 0;
  const keys = readCount(message, header + 3);
  const place = Array.from({ length: required }, (_, index) => index).find((index) => {
    const at = keys.next + index * KEY_BYTES;
    return publicKey.every((byte, offset) => message[at + offset] === byte);
  });
  if (place === undefined || place >= signatures.count) {
    throw new Error("The transaction does not ask for this wallet's signature");
  }
  const signature = sign(message);
  const signed = transaction.slice();
  signed.set(signature, signatures.next + place * SIGNATURE_BYTES);
  return { transaction: signed, signature };
}
