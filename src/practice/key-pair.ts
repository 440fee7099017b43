import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "@solana/kit";
import { readAddress, utf8Bytes } from "./runtime/bytes.ts";

/** A key of the practice network, made from a name so that every process holds the same one. */
export interface PracticeKeyPair {
  readonly address: Address;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** Derives the key pair of a name. Anybody can do the same: such keys hold practice money only. */
export function practiceKeyPair(name: string): PracticeKeyPair {
  const secret = sha256(utf8Bytes(`wheelhouse practice key ${name}`));
  return {
    address: readAddress(ed25519.getPublicKey(secret), 0),
    sign: (message) => ed25519.sign(message, secret),
  };
}
