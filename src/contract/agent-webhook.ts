import * as z from "zod/mini";
import { isoTime, ownAgent } from "./fields.ts";
import { READS, route, type ResponseOf } from "./route.ts";

const webhookState = {
  url: z.string(),
  /**
   * Message to paste into the charting platform, with `{{alertName}}` as the placeholder of the alert's name; without
   * the owner's signature `{{token}}` stands for the token.
   */
  alertText: z.string(),
  /** Alerts received with the token that was valid before the last rotation; absent when there were none. */
  replacedToken: z.optional(z.strictObject({ alerts: z.int(), since: isoTime, lastAt: isoTime })),
  /** The operator accepts alerts only from listed IP addresses, so a browser cannot send a test alert. */
  isSenderLimited: z.boolean(),
};

const webhookSetUp = z.strictObject({ ...webhookState, token: z.string() });

/** Webhook address and message of an agent without its token. */
export const getWebhookState = route("GET", "/api/agents/:botId/webhook/state", {
  ...READS,
  ...ownAgent,
  staleOn: ["signals"],
  freshMs: 30_000,
  response: z.strictObject(webhookState),
});

/** Reveals the webhook token: whoever has it fires this agent's alerts. */
export const getWebhook = route("GET", "/api/agents/:botId/webhook", {
  bearer: "webhook_token",
  ...ownAgent,
  response: webhookSetUp,
  holdsSecret: true,
});

/** Rotates the webhook token; the old token stops working at once. */
export const rotateWebhook = route("POST", "/api/agents/:botId/webhook/rotate", {
  bearer: "new_webhook_token",
  ...ownAgent,
  changes: ["signals"],
  response: webhookSetUp,
  holdsSecret: true,
});

/** Webhook address and message of an agent, with the number of alerts that used the replaced token. */
export type Webhook = ResponseOf<typeof getWebhookState>;
