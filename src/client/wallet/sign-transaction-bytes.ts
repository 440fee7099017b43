/** Decodes Solana's compact-u16 length. */
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

/** First byte of a version 1 transaction, in which the message precedes the signatures. */
const VERSION_1 = 0x81;
/** Offset of the account keys in a version 1 message: version, header, settings mask, blockhash, two counts. */
const V1_KEYS_AT = 1 + 3 + 4 + 32 + 1 + 1;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** Offsets of message, signer keys and signatures in a transaction, in bytes. */
interface Layout {
  readonly message: Uint8Array;
  readonly signerCount: number;
  /** Offset within the message. */
  readonly keysAt: number;
  readonly signaturesAt: number;
}

function layoutOf(transaction: Uint8Array): Layout {
  if (transaction[0] === VERSION_1) {
    const signerCount = transaction[1] ?? 0;
    const signaturesAt = transaction.length - signerCount * SIGNATURE_BYTES;
    if (signaturesAt <= V1_KEYS_AT) throw new Error("The transaction ends early");
    const message = transaction.subarray(0, signaturesAt);
    return { message, signerCount, keysAt: V1_KEYS_AT, signaturesAt };
  }
  const signatures = readCount(transaction, 0);
  const message = transaction.subarray(signatures.next + signatures.count * SIGNATURE_BYTES);
  const header = ((message[0] ?? 0) & 0x80) === 0 ? 0 : 1;
  return {
    message,
    signerCount: Math.min(message[header] ?? 0, signatures.count),
    keysAt: readCount(message, header + 3).next,
    signaturesAt: signatures.next,
  };
}

/** Returns the transaction with our signature in the slot of our key. */
export function signTransactionBytes(
  transaction: Uint8Array,
  publicKey: Uint8Array,
  sign: (message: Uint8Array) => Uint8Array,
): { transaction: Uint8Array; signature: Uint8Array } {
  const { message, signerCount, keysAt, signaturesAt } = layoutOf(transaction);
  const place = Array.from({ length: signerCount }, (_, index) => index).find((index) => {
    const at = keysAt + index * KEY_BYTES;
    return publicKey.every((byte, offset) => message[at + offset] === byte);
  });
  if (place === undefined) {
    throw new Error("The transaction does not ask for this wallet's signature");
  }
  const signature = sign(message);
  const signed = transaction.slice();
  signed.set(signature, signaturesAt + place * SIGNATURE_BYTES);
  return { transaction: signed, signature };
}
