import { ed25519 } from "@noble/curves/ed25519.js";
import type { Address, Signature } from "@solana/kit";
import { encodeBase58 } from "../domain/base58.ts";
import { addressBytes } from "./encoding/address-codec.ts";
import type { Keypair } from "./encoding/keys.ts";
import { firstSignature, readWire, type Wire, withSignatures } from "./wire.ts";

/** Inserts a signature into the wire bytes. Throws when the transaction does not require that signer. */
export function attachSignature(
  bytes: Uint8Array,
  signer: Address,
  signature: Uint8Array,
): Uint8Array {
  const wire = readWire(bytes);
  requireSigner(wire, signer);
  return withSignatures(wire, new Map([[signer, signature]]));
}

function requireSigner({ signers }: Pick<Wire, "signers">, signer: Address): void {
  if (signers.some(({ address }) => address === signer)) return;
  throw new Error(`The transaction does not ask ${signer} to sign`);
}

/** Returns the Ed25519 signature of a message under a 32-byte private seed. */
export type SignMessage = (message: Uint8Array, seed: Uint8Array) => Uint8Array;

/** Signs wire bytes with a key pair and returns them with the signature in place. */
export function signTransaction(bytes: Uint8Array, { address, seed }: Keypair): Uint8Array {
  const wire = readWire(bytes);
  requireSigner(wire, address);
  return withSignatures(wire, new Map([[address, ed25519.sign(wire.messageBytes, seed)]]));
}

/** Returns the transaction's id, its fee payer's signature. Throws when it is missing. */
export function signatureOf(bytes: Uint8Array): Signature {
  return encodeBase58(firstSignature(bytes)) as Signature;
}

/** Verifies one Ed25519 signature strictly: no malleable encoding, no key of small order. */
export type VerifySignature = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean;

/** Returns the signers whose signature is missing or wrong; `verify` is supplied by the host. */
export function unsignedSigners(bytes: Uint8Array, verify: VerifySignature): readonly Address[] {
  const { messageBytes, signers } = readWire(bytes);
  return signers
    .filter(
      ({ address, signature }) =>
        signature === null || !verify(signature, messageBytes, addressBytes(address)),
    )
    .map(({ address }) => address);
}
