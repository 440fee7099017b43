import * as z from "zod/mini";
import { MAX_ALERT_NAME_LENGTH } from "../domain/name-key.ts";
import { alertAnswer, isoTime, line, ownAgent, WEBHOOK_BODY_LIMIT_BYTES } from "./fields.ts";
import { free, READS, route, type ResponseOf } from "./route.ts";

const webhookState = {
  url: z.string(),
  /**
   * Message to paste into the charting platform, with `{{alertName}}` as the placeholder of the alert's name; without
   * the owner's signature `{{token}}` stands for the token.
   */
  alertText: z.string(),
};

const webhookSetUp = z.strictObject({ ...webhookState, token: z.string() });

/** Webhook address and message of an agent without its token. */
export const getWebhookState = route("GET", "/api/agents/:botId/webhook/state", {
  ...READS,
  ...ownAgent,
  staleOn: ["signals"],
  freshMs: 30_000,
  response: z.strictObject({
    ...webhookState,
    /** Alerts received with the token that was valid before the last rotation; absent when there were none. */
    replacedToken: z.optional(z.strictObject({ alerts: z.int(), since: isoTime, lastAt: isoTime })),
    /** Deliveries that could not be read, whoever sent them; absent when there was none for a week. */
    unreadable: z.optional(
      z.strictObject({
        deliveries: z.int(),
        since: isoTime,
        lastAt: isoTime,
        problem: z.string(),
        sample: z.nullable(z.string()),
        isPast: z.boolean(),
      }),
    ),
  }),
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

/** Fires one of the agent's alerts now, without its token: it counts and trades as any other. */
export const sendTestAlert = route("POST", "/api/agents/:botId/test-alert", {
  bearer: "test_alert",
  ...ownAgent,
  changes: ["signals"],
  body: z.strictObject({ alertName: line(1, MAX_ALERT_NAME_LENGTH) }),
  response: alertAnswer,
});

/** Tells what an alert's text would do if it were sent now, and does nothing. */
export const previewAlert = route("POST", "/api/agents/:botId/webhook/preview", {
  ...free("It trades and stores nothing, and says of a token only whether it is the agent's."),
  ...ownAgent,
  body: z.strictObject({ text: z.string().check(z.maxLength(WEBHOOK_BODY_LIMIT_BYTES)) }),
  response: z.strictObject({
    outcome: z.enum(["accepted", "duplicate", "ignored", "refused"]),
    words: z.string(),
  }),
});

/** Webhook address and message of an agent, with the number of alerts that used the replaced token. */
export type Webhook = ResponseOf<typeof getWebhookState>;
