import * as z from "zod/mini";
import { agentParams, isoTime, ownAgent } from "./fields.ts";
import { defineRoute, type ResponseOf } from "./route.ts";

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

export const getWebhook = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/webhook",
  access: ownAgent,
  staleOn: ["signals"],
  freshMs: 30_000,
  params: agentParams,
  status: 200,
  response: webhookSetUp,
  holdsSecret: true,
});

/** Rotates the webhook token; the old token stops working at once. */
export const rotateWebhook = defineRoute({
  method: "POST",
  path: "/api/agents/:botId/webhook/rotate",
  access: ownAgent,
  confirms: "new_webhook_token",
  params: agentParams,
  status: 200,
  response: webhookSetUp,
  holdsSecret: true,
});

/** Webhook address, token and message of an agent, with the number of alerts that used the replaced token. */
export type Webhook = ResponseOf<typeof getWebhook>;
