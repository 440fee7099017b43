import { ed25519 } from "@noble/curves/ed25519.js";
import {
  type Address,
  type Signature,
  type SignatureBytes,
  getBase58Codec,
  getTransactionDecoder,
  getTransactionEncoder,
} from "@solana/kit";
import type { Keypair } from "./keys.ts";
import { addressBytes } from "./pda.ts";

/** Puts a signature into its slot of wire bytes. Throws when the transaction does not ask for that signer. */
export function attachSignature(
  wire: Uint8Array,
  signer: Address,
  signature: Uint8Array,
): Uint8Array {
  const transaction = getTransactionDecoder().decode(wire);
  if (!(signer in transaction.signatures)) {
    throw new Error(`The transaction does not ask ${signer} to sign`);
  }
  return new Uint8Array(
    getTransactionEncoder().encode({
      ...transaction,
      signatures: { ...transaction.signatures, [signer]: signature as SignatureBytes },
    }),
  );
}

/** Makes the Ed25519 signature of a message under a 32-byte private seed. */
export type SignMessage = (message: Uint8Array, seed: Uint8Array) => Uint8Array;

/** Signs wire bytes with a key pair and returns them with the signature in place; `sign` is the host's, where it has a faster one. */
export function signTransaction(
  wire: Uint8Array,
  keypair: Keypair,
  sign: SignMessage = (message, seed) => ed25519.sign(message, seed),
): Uint8Array {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  return attachSignature(wire, keypair.address, sign(new Uint8Array(messageBytes), keypair.seed));
}

/** Returns the transaction's id, its fee payer's signature. Throws when it is missing. */
export function signatureOf(wire: Uint8Array): Signature {
  const [first] = Object.values(getTransactionDecoder().decode(wire).signatures);
  if (first === undefined || first === null) throw new Error("The fee payer has not signed");
  return getBase58Codec().decode(first) as Signature;
}

/** Returns the signers whose signature is missing or wrong. */
export function unsignedSigners(wire: Uint8Array): readonly Address[] {
  const { messageBytes, signatures } = getTransactionDecoder().decode(wire);
  const message = new Uint8Array(messageBytes);
  return (Object.entries(signatures) as [Address, SignatureBytes | null][])
    .filter(
      ([signer, signature]) =>
        signature === null ||
        !ed25519.verify(new Uint8Array(signature), message, addressBytes(signer), {
          zip215: false,
        }),
    )
    .map(([signer]) => signer);
}
