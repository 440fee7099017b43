import { ed25519 } from "@noble/curves/ed25519.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "@solana/kit";
import { addressOf } from "./address-codec.ts";
import { utf8 } from "./pda.ts";

/** An Ed25519 key pair; `seed` is the 32-byte private seed and must never be logged. */
export interface Keypair {
  readonly address: Address;
  readonly seed: Uint8Array;
}

/** Returns the key pair of a 32-byte private seed. */
export function keypairFromSeed(seed: Uint8Array): Keypair {
  return { address: addressOf(ed25519.getPublicKey(seed)), seed };
}

/** Derives one key pair per label from a master secret; knowing one derived key tells nothing about the others. */
export function deriveKeypair(secret: Uint8Array, label: string): Keypair {
  if (secret.length < 32) throw new Error("A master secret has at least 32 bytes");
  return keypairFromSeed(hmac(sha256, secret, utf8(label)));
}
