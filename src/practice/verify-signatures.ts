import { ed25519 } from "@noble/curves/ed25519.js";
import { addressBytes } from "../solana/encoding/address-codec.ts";
import type { VerifySignature } from "../solana/signing.ts";
import type { WireTransaction } from "./runtime/wire-transaction.ts";

/** Verifies strictly in plain JavaScript: no malleable signatures, no keys of small order. */
export const verifyStrictly: VerifySignature = (signature, message, publicKey) => {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
};

/** Returns whether every required signer signed exactly these bytes. */
export function hasValidSignatures(wire: WireTransaction, verify: VerifySignature): boolean {
  return wire.signatures.every((signature, index) => {
    const signer = wire.staticAccounts[index];
    return signer !== undefined && verify(signature, wire.messageBytes, addressBytes(signer));
  });
}
