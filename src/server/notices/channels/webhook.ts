import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import type { Clock } from "../../../domain/clock.ts";
import { NotDelivered, retryAfterMs, type SendNotice } from "../channel.ts";
import { OutsideError, type PostOutside } from "../post-outside.ts";

export const webhookTarget = z.strictObject({ url: z.string(), secret: z.string() });

/** Returns the signature header: HMAC-SHA256 of time and body, by which a receiver checks origin and age. */
export function signWebhook(secret: string, seconds: number, body: string): string {
  const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${signature}`;
}

/** Characters of a message that Discord takes; Slack takes 3,000 in a section. */
const SHOWN_IN_CHATS = 2_000;

/** Posts a notice as JSON to an address of the owner, signed with the channel's secret. */
export function createWebhookSender(post: PostOutside, clock: Clock): SendNotice {
  return async (target, { id, kind, agentId, at, title, body: text, url }) => {
    const { url: address, secret } = webhookTarget.parse(JSON.parse(target));
    const message = `${title}\n${text}\n${url}`.slice(0, SHOWN_IN_CHATS);
    const body = JSON.stringify({
      id,
      event: kind,
      agentId,
      at: at.toISOString(),
      title,
      text,
      url,
      // What Discord shows, and Slack, as plain text that calls nobody
      content: message,
      allowed_mentions: { parse: [] },
      blocks: [{ type: "section", text: { type: "plain_text", text: message } }],
    });
    const seconds = Math.floor(clock.now() / 1_000);
    const answer = await delivered(
      post(
        address,
        {
          "content-type": "application/json",
          "x-wheelhouse-signature": signWebhook(secret, seconds, body),
        },
        body,
      ),
    );
    if (answer.status >= 200 && answer.status < 300) return;
    const waitMs = retryAfterMs(answer.headers["retry-after"]);
    const isRedirect = answer.status >= 300 && answer.status < 400;
    throw new NotDelivered(
      isRedirect
        ? "The address sends on to another one, which is not followed."
        : `The address answered ${answer.status}.`,
      { waitMs },
    );
  };
}

/** Turns an `OutsideError` into a `NotDelivered`. */
export async function delivered<T>(posting: Promise<T>): Promise<T> {
  try {
    return await posting;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    throw new NotDelivered(error.message, { isFinal: error.isFinal });
  }
}
