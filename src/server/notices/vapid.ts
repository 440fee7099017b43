import { createECDH, createPrivateKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";

/** Life of a token; push services refuse more than 24 hours. */
const HOLDS_SECONDS = 12 * 3_600;

/**
 * Identifies this server to push services (VAPID, RFC 8292) by a private key of 32 bytes; `contact` is a mailto: or
 * https: address of the operator.
 */
export function createVapid(secret: Uint8Array, contact: string) {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(secret);
  const publicKey = pair.getPublicKey().toString("base64url");
  const key = importKey(secret, pair.getPublicKey());
  return {
    /** Public key in base64url, which a browser subscribes with. */
    publicKey,
    /** Returns the Authorization header for a message to this endpoint. */
    async authorization(endpoint: string, nowMs: number): Promise<string> {
      const token = await new SignJWT({ sub: contact })
        .setProtectedHeader({ typ: "JWT", alg: "ES256" })
        .setAudience(new URL(endpoint).origin)
        .setExpirationTime(Math.floor(nowMs / 1_000) + HOLDS_SECONDS)
        .sign(key);
      return `vapid t=${token}, k=${publicKey}`;
    },
  };
}

export type Vapid = ReturnType<typeof createVapid>;

function importKey(secret: Uint8Array, point: Buffer): KeyObject {
  const part = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  return createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      d: part(secret),
      x: part(point.subarray(1, 33)),
      y: part(point.subarray(33)),
    },
  });
}
