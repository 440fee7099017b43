import { createPrivateKey, sign } from "node:crypto";
import type { SignMessage } from "../../../solana/signing.ts";

/** What comes before the 32 bytes of a private seed in its DER form (RFC 8410). */
const DER_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs with OpenSSL: byte for byte what plain JavaScript makes of the same seed, in a tenth of the time. */
export const signEd25519: SignMessage = (message, seed) => {
  const key = createPrivateKey({
    key: Buffer.concat([DER_PREFIX, seed]),
    format: "der",
    type: "pkcs8",
  });
  return new Uint8Array(sign(null, message, key));
};
