import * as z from "zod/mini";
import { isoTime, ownAgent } from "./fields.ts";
import { route, type ResponseOf } from "./route.ts";

const webhookSetUp = z.strictObject({
  url: z.string(),
  token: z.string(),
  /** Message to paste into the charting platform, with `{{alertName}}` as the placeholder of the alert's name. */
  alertText: z.string(),
  /** Alerts received with the token that was valid before the last rotation; absent when there were none. */
  replacedToken: z.optional(z.strictObject({ alerts: z.int(), since: isoTime, lastAt: isoTime })),
  /** The operator accepts alerts only from listed IP addresses, so a browser cannot send a test alert. */
  isSenderLimited: z.boolean(),
});

export const getWebhook = route("GET", "/api/agents/:botId/webhook", {
  ...ownAgent,
  staleOn: ["signals"],
  freshMs: 30_000,
  response: webhookSetUp,
  holdsSecret: true,
});

/** Rotates the webhook token; the old token stops working at once. */
export const rotateWebhook = route("POST", "/api/agents/:botId/webhook/rotate", {
  ...ownAgent,
  confirms: "new_webhook_token",
  response: webhookSetUp,
  holdsSecret: true,
});

/** Webhook address, token and message of an agent, with the number of alerts that used the replaced token. */
export type Webhook = ResponseOf<typeof getWebhook>;
