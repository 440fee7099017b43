import { createCipheriv, createECDH, hkdfSync } from "node:crypto";

const CURVE = "prime256v1";
const RECORD_BYTES = 4096;
/** Delimiter of the last record (RFC 8188); no padding follows. */
const LAST_RECORD = Uint8Array.of(2);

/** Keys of a browser's subscription: its public key and its authentication secret. */
export interface PushKeys {
  readonly p256dh: Uint8Array;
  readonly auth: Uint8Array;
}

interface Fresh {
  /** Private key of a P-256 pair used for one message. */
  readonly privateKey: Uint8Array;
  readonly salt: Uint8Array;
}

/** Encrypts a message for one browser (RFC 8291), so that the push service cannot read it. */
export function encryptPush(text: string, browser: PushKeys, fresh: Fresh): Uint8Array {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(fresh.privateKey);
  const ownPublic = pair.getPublicKey();
  const shared = pair.computeSecret(browser.p256dh);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.p256dh, ownPublic]);
  const input = Buffer.from(hkdfSync("sha256", shared, browser.auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync("sha256", input, fresh.salt, `Content-Encoding: ${name}\0`, length));
  const cipher = createCipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  const body = Buffer.concat([
    cipher.update(text, "utf8"),
    cipher.update(LAST_RECORD),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes.writeUInt8(ownPublic.length, 4);
  return Buffer.concat([fresh.salt, sizes, ownPublic, body]);
}
