import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps where messages go, and the secrets for it, unreadable to whoever reads only the database. */
export interface Seal {
  /** The same name has to be given to open it, so that no sealed text can be put into another's place. */
  seal(name: string, text: string): Uint8Array;
  /** Null where it was sealed under another secret or another name, or changed since. */
  open(name: string, sealed: Uint8Array): string | null;
}

/** Makes a seal from the secret of the sessions; it opens nothing any more once that is replaced. */
export function createSeal(
  sessionSecret: Uint8Array,
  random: (length: number) => Uint8Array,
): Seal {
  const key = new Uint8Array(hkdfSync("sha256", sessionSecret, "", "wheelhouse notices", 32));
  return {
    seal(name, text) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]);
    },
    open(name, sealed) {
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
