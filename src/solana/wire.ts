import type { Address, CompiledTransactionMessage } from "@solana/kit";
import { type CompiledMessage, readMessage, writeMessage } from "./message-codec.ts";

const SIGNATURE_BYTES = 64;

/** One required signature; null while it is missing. */
export interface SignerSlot {
  readonly address: Address;
  readonly signature: Uint8Array | null;
}

/** A transaction in wire form: signatures in the order of the message's signers, and the signed message. */
export interface Wire {
  readonly signers: readonly SignerSlot[];
  readonly messageBytes: Uint8Array;
  readonly message: CompiledMessage;
}

/** First byte of a version 1 message. Its signatures follow the message; in older versions they precede it. */
const VERSION_1 = 0x81;

/** Returns whether bytes start with a version 1 message, for a message alone or a whole transaction. */
export function isVersion1(bytes: Uint8Array): boolean {
  return bytes[0] === VERSION_1;
}

/** Returns the offsets of the parts of wire bytes. Throws when the signatures leave no room for a message. */
function layoutOf(bytes: Uint8Array) {
  const isMessageFirst = isVersion1(bytes);
  // A count of 128 or more would take a second byte, and more signatures than fit into a transaction
  const count = bytes[isMessageFirst ? 1 : 0] ?? 0;
  const end = bytes.length - count * SIGNATURE_BYTES;
  if (count === 0 || count > 127 || end <= 1) throw new Error("No transaction");
  return isMessageFirst
    ? { count, messageBytes: bytes.slice(0, end), signaturesAt: end }
    : { count, messageBytes: bytes.slice(1 + count * SIGNATURE_BYTES), signaturesAt: 1 };
}

/** Returns the bytes of the first signature, the fee payer's, without reading the message. Throws when there is none. */
export function firstSignature(bytes: Uint8Array): Uint8Array {
  const { signaturesAt } = layoutOf(bytes);
  const signature = bytes.slice(signaturesAt, signaturesAt + SIGNATURE_BYTES);
  if (signature.every((byte) => byte === 0)) throw new Error("The fee payer has not signed");
  return signature;
}

/** Reads wire bytes. Throws on malformed, missing and extra bytes and when there is not one signature for each signer. */
export function readWire(bytes: Uint8Array): Wire {
  const { count, messageBytes, signaturesAt } = layoutOf(bytes);
  const message = readMessage(messageBytes);
  const { staticAccounts, header } = message;
  if (header.numSignerAccounts !== count || staticAccounts.length < count) {
    throw new Error("The transaction does not carry one signature for each of its signers");
  }
  const signers = staticAccounts.slice(0, count).map((address, at): SignerSlot => {
    const start = signaturesAt + at * SIGNATURE_BYTES;
    const signature = bytes.slice(start, start + SIGNATURE_BYTES);
    return { address, signature: signature.some((byte) => byte !== 0) ? signature : null };
  });
  return { signers, messageBytes, message };
}

/** Returns the wire bytes of a message that nobody has signed. */
export function unsignedWire(message: CompiledMessage): Uint8Array {
  const { header, staticAccounts } = message;
  const signers = staticAccounts
    .slice(0, header.numSignerAccounts)
    .map((address): SignerSlot => ({ address, signature: null }));
  return withSignatures({ signers, messageBytes: writeMessage(message) }, new Map());
}

/** Returns the wire bytes with the given signatures in place of the ones they carry. */
export function withSignatures(
  wire: Pick<Wire, "signers" | "messageBytes">,
  signatures: ReadonlyMap<Address, Uint8Array>,
): Uint8Array {
  const { signers, messageBytes } = wire;
  const isMessageFirst = isVersion1(messageBytes);
  const room = signers.length * SIGNATURE_BYTES;
  const bytes = new Uint8Array((isMessageFirst ? 0 : 1) + room + messageBytes.length);
  if (!isMessageFirst) bytes[0] = signers.length;
  bytes.set(messageBytes, isMessageFirst ? 0 : 1 + room);
  const signaturesAt = isMessageFirst ? messageBytes.length : 1;
  for (const [at, { address, signature }] of signers.entries()) {
    const bytesOfIt = signatures.get(address) ?? signature;
    if (bytesOfIt !== null) bytes.set(bytesOfIt, signaturesAt + at * SIGNATURE_BYTES);
  }
  return bytes;
}

/** One instruction of a message, with accounts as indexes. */
export interface CompiledInstruction {
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
}

/** Returns a message's instructions, independent of how its version stores them. */
export function instructionsOf(message: CompiledTransactionMessage): CompiledInstruction[] {
  if (message.version === 1) {
    return message.instructionPayloads.map(
      ({ instructionAccountIndices, instructionData }, at) => ({
        programIndex: message.instructionHeaders[at]?.programAccountIndex ?? -1,
        accountIndexes: instructionAccountIndices,
        data: new Uint8Array(instructionData),
      }),
    );
  }
  return message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
    programIndex: programAddressIndex,
    accountIndexes: accountIndices ?? [],
    data: new Uint8Array(data ?? []),
  }));
}
