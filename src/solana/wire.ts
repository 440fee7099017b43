import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
} from "@solana/kit";

const SIGNATURE_BYTES = 64;
const messageDecoder = getCompiledTransactionMessageDecoder();

/** One required signature; null while it is missing. */
export interface SignerSlot {
  readonly address: Address;
  readonly signature: Uint8Array | null;
}

/** A transaction as it travels: signatures in the order of the message's signers, then what they sign. */
export interface Wire {
  readonly signers: readonly SignerSlot[];
  readonly messageBytes: Uint8Array;
  readonly message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
}

/** Reads wire bytes. Throws on malformed bytes and when there is not one signature for each signer. */
export function readWire(bytes: Uint8Array): Wire {
  // A count of 128 or more takes a second byte, and more room than a transaction has
  const count = bytes[0] ?? 0;
  const end = 1 + count * SIGNATURE_BYTES;
  if (count === 0 || count > 127 || bytes.length <= end) throw new Error("No transaction");
  const messageBytes = bytes.slice(end);
  const message = messageDecoder.decode(messageBytes);
  const { staticAccounts, header } = message;
  if (header.numSignerAccounts !== count || staticAccounts.length < count) {
    throw new Error("The transaction does not carry one signature for each of its signers");
  }
  const signers = staticAccounts.slice(0, count).map((address, at): SignerSlot => {
    const start = 1 + at * SIGNATURE_BYTES;
    const signature = bytes.slice(start, start + SIGNATURE_BYTES);
    return { address, signature: signature.some((byte) => byte !== 0) ? signature : null };
  });
  return { signers, messageBytes, message };
}

/** Returns the wire bytes with the given signatures in place of the ones they carry. */
export function withSignatures(
  wire: Pick<Wire, "signers" | "messageBytes">,
  signatures: ReadonlyMap<Address, Uint8Array>,
): Uint8Array {
  const { signers, messageBytes } = wire;
  const start = 1 + signers.length * SIGNATURE_BYTES;
  const bytes = new Uint8Array(start + messageBytes.length);
  bytes[0] = signers.length;
  for (const [at, { address, signature }] of signers.entries()) {
    const bytesOfIt = signatures.get(address) ?? signature;
    if (bytesOfIt !== null) bytes.set(bytesOfIt, 1 + at * SIGNATURE_BYTES);
  }
  bytes.set(messageBytes, start);
  return bytes;
}
