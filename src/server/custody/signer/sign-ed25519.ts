import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { SignMessage } from "../../../solana/signing.ts";

/** What comes before the 32 bytes of a private seed in its DER form (RFC 8410). */
const DER_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Reading a key takes longer than signing with it; kept as long as the seed itself is. */
const keys = new WeakMap<Uint8Array, KeyObject>();

/** Signs with OpenSSL: byte for byte what plain JavaScript makes of the same seed, in a tenth of the time. */
export const signEd25519: SignMessage = (message, seed) => {
  const key = keys.get(seed) ?? readKey(seed);
  keys.set(seed, key);
  return new Uint8Array(sign(null, message, key));
};

const readKey = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([DER_PREFIX, seed]), format: "der", type: "pkcs8" });
