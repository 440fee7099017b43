import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keys of notices; neither the session secret nor anything else made from it can be computed from them. */
export interface NoticeKeys {
  /** Encrypts targets of channels. */
  readonly targets: Uint8Array;
  /** Makes the codes that confirm e-mail addresses. */
  readonly codes: Uint8Array;
  /** Private key that push services know this deployment by (VAPID). */
  readonly push: Uint8Array;
}

/** Derives keys of notices from the session secret; nothing opens after that secret was replaced. */
export function deriveNoticeKeys(sessionSecret: Uint8Array): Omit<NoticeKeys, "push"> {
  const derive = (use: string) => new Uint8Array(hkdfSync("sha256", sessionSecret, "", use, 32));
  return { targets: derive("wheelhouse notices"), codes: derive("wheelhouse address codes") };
}

/** Encrypts targets and secrets of channels (AES-256-GCM), so that the database alone does not reveal them. */
export function createTargetCipher(key: Uint8Array, random: (length: number) => Uint8Array) {
  return {
    /** Encrypts a text. `name` is authenticated with it: bytes copied to another row do not open. */
    seal(name: string, text: string): Uint8Array {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]);
    },
    /** Decrypts a text; null when secret or name differ, or the bytes were changed. */
    open(name: string, sealed: Uint8Array): string | null {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(name));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const body = sealed.subarray(NONCE_BYTES, -TAG_BYTES);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}

export type TargetCipher = ReturnType<typeof createTargetCipher>;
