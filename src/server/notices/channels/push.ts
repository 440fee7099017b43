import * as z from "zod/mini";
import {
  createECDH,
  createCipheriv,
  hkdfSync,
  createPrivateKey,
  type KeyObject,
} from "node:crypto";
import type { Clock } from "../../../domain/clock.ts";
import type { RandomBytes } from "../../crypto/new-id.ts";
import { NotDelivered, retryAfterMs, type SendNotice } from "../channel.ts";
import type { PostOutside } from "../post-outside.ts";
import { delivered } from "./webhook.ts";
import { SignJWT } from "jose";

export const pushTarget = z.strictObject({
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
});

/** How long a push service keeps a message for a browser that is not running. */
const KEPT_SECONDS = 24 * 3_600;

interface PushDeps {
  readonly post: PostOutside;
  readonly vapid: Vapid;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Sends notices to browsers through the push service of each subscription. */
export function createPushSender({ post, vapid, clock, random }: PushDeps): SendNotice {
  return async (target, { id, title, body, url }) => {
    const { endpoint, p256dh, auth } = pushTarget.parse(JSON.parse(target));
    const message = encryptPush(
      JSON.stringify({ id, title, body, url }),
      { p256dh: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") },
      { privateKey: freshKey(random), salt: random(16) },
    );
    const answer = await delivered(
      post(
        endpoint,
        {
          "content-type": "application/octet-stream",
          "content-encoding": "aes128gcm",
          ttl: String(KEPT_SECONDS),
          urgency: "high",
          authorization: await vapid.authorization(endpoint, clock.now()),
        },
        message,
      ),
    );
    if (answer.status >= 200 && answer.status < 300) return;
    const isGone = answer.status === 404 || answer.status === 410;
    throw new NotDelivered(
      isGone
        ? "The browser takes no more messages; turn them on there again."
        : `The push service answered ${answer.status}.`,
      { isFinal: isGone, waitMs: retryAfterMs(answer.headers["retry-after"]) },
    );
  };
}

/** Private key of a pair for one message. */
function freshKey(random: RandomBytes): Uint8Array {
  for (;;) {
    const key = random(32);
    try {
      createECDH("prime256v1").setPrivateKey(key);
      return key;
    } catch {
      // Not below the curve's order; happens once in 2^32
    }
  }
}

const CURVE = "prime256v1";
const RECORD_BYTES = 4096;
/** Delimiter of the last record (RFC 8188); no padding follows. */
const LAST_RECORD = Uint8Array.of(2);

/** Keys of a browser's subscription: its public key and its authentication secret. */
interface PushKeys {
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

type Vapid = ReturnType<typeof createVapid>;

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
