import { createHmac, timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "../crypto/new-id.ts";
import { decodeBase58, encodeBase58 } from "../../domain/base58.ts";

const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const SEAL_BYTES = 16;

/** Length of a nonce: its time, its random part and the seal over both. */
export const NONCE_BYTES = TIME_BYTES + RANDOM_BYTES + SEAL_BYTES;

/** Makes nonces that carry their time and purpose under a keyed digest, so that no row is stored for them. */
export function createNonceSeal(secret: Uint8Array, random: RandomBytes) {
  const key = createHmac("sha256", secret).update("nonce seal").digest();
  const sealOf = (purpose: readonly string[], body: Uint8Array): Buffer =>
    createHmac("sha256", key)
      .update(JSON.stringify(purpose))
      .update(body)
      .digest()
      .subarray(0, SEAL_BYTES);
  return {
    /** Returns a nonce in base58 for exactly this purpose. */
    seal(purpose: readonly string[], issuedAtMs: number): string {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(issuedAtMs, 0, TIME_BYTES);
      const body = Buffer.concat([time, random(RANDOM_BYTES)]);
      return encodeBase58(Buffer.concat([body, sealOf(purpose, body)]));
    },
    /** Returns the time a nonce was issued; null when it is forged or has another purpose. */
    open(purpose: readonly string[], nonce: string): number | null {
      const bytes = decodeBase58(nonce, NONCE_BYTES);
      if (bytes === null) return null;
      const body = Buffer.from(bytes.subarray(0, TIME_BYTES + RANDOM_BYTES));
      const given = bytes.subarray(TIME_BYTES + RANDOM_BYTES);
      return timingSafeEqual(given, sealOf(purpose, body)) ? body.readUIntBE(0, TIME_BYTES) : null;
    },
  };
}

export type NonceSeal = ReturnType<typeof createNonceSeal>;
