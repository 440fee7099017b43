import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { SignMessage } from "../../../solana/signing.ts";

/** DER header that precedes the 32 bytes of a private seed (RFC 8410). */
const DER_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Parsed keys, cached as long as the seed exists: parsing takes longer than signing. */
const keys = new WeakMap<Uint8Array, KeyObject>();

/** Signs with OpenSSL: the same bytes as the JavaScript implementation in a tenth of the time. */
export const signEd25519: SignMessage = (message, seed) => {
  const key = keys.get(seed) ?? readKey(seed);
  keys.set(seed, key);
  return new Uint8Array(sign(null, message, key));
};

const readKey = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([DER_PREFIX, seed]), format: "der", type: "pkcs8" });
