import * as z from "zod/mini";
import { createECDH } from "node:crypto";
import type { Clock } from "../../../domain/clock.ts";
import type { RandomBytes } from "../../crypto/new-id.ts";
import { NotDelivered, retryAfterMs, type SendNotice } from "../channel.ts";
import type { PostOutside } from "../post-outside.ts";
import { encryptPush } from "../push-encryption.ts";
import type { Vapid } from "../vapid.ts";
import { delivered } from "./webhook.ts";

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
