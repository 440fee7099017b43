import * as z from "zod/mini";
import { renamed } from "./codec.ts";
import { agentId, alertAnswer, line } from "./fields.ts";
import { OPEN, route } from "./route.ts";

/** Deepest nesting allowed in a JSON body. */
export const JSON_DEPTH_LIMIT = 20;

/** Largest body of an API call in bytes. */
export const API_BODY_LIMIT_BYTES = 256 * 1024;

/** Further fields are ignored. */
export const webhookBody = z.object({
  agentId,
  alertName: line(1, 100),
  timestamp: z.union([z.string().check(z.maxLength(64)), z.number()]),
  token: z.string().check(z.maxLength(128)),
});

export type WebhookBody = z.infer<typeof webhookBody>;

/**
 * Receives an alert: 202 accepted or ignored, 200 duplicate. JSON is accepted with any content type.
 * Every refusal that does not name one of our agents is the uniform 404.
 */
export const receiveWebhook = route("POST", "/webhook/:botId", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: null },
  changes: ["signals"],
  params: renamed(z.strictObject({ botId: z.string().check(z.maxLength(64)) }), {
    botId: "agentId",
  }),
  body: webhookBody,
  status: 202,
  /** A duplicate. */
  otherStatus: 200,
  response: alertAnswer,
});
