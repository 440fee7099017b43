import * as z from "zod/mini";
import { action, isoTime, serverId } from "./fields.ts";
import { defineRoute } from "./route.ts";

const botParams = z.strictObject({ botId: serverId });
const ownAgent = { kind: "owner", of: "agent", id: "params.botId" } as const;

export const receivedSignal = z.strictObject({
  eventId: serverId,
  alertName: z.string(),
  receivedAt: isoTime,
  outcome: z.enum(["accepted", "duplicate", "ignored", "refused", "denied"]),
  reason: z.optional(z.string()),
  /** A condition of the agent itself fired; absent for an alert from outside. */
  fired: z.optional(
    z.strictObject({
      /** When the bar closed. */
      closedAt: isoTime,
      /** The bar's close; absent where the line stands for bars that are not listed. */
      price: z.optional(z.number()),
      /** In plain words, one sentence per comparison; none for a schedule. */
      because: z.array(z.string()),
    }),
  ),
  orders: z.array(
    z.strictObject({
      orderId: serverId,
      signal: action,
      status: z.string(),
      reason: z.optional(z.string()),
      signature: z.optional(z.string()),
    }),
  ),
});

/** The last 100 alerts received, newest first, refused ones included. */
export const listSignals = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/signals",
  access: ownAgent,
  params: botParams,
  status: 200,
  response: z.array(receivedSignal),
});

/** Most alerts of one answer. */
export const PAST_ALERTS_PAGE = 1_000;

/**
 * Every alert that came as the agent had one, newest first and a page at a time, for replaying it. Refused ones and
 * repeats are left out, and what is older than alerts are kept. `next` goes into the next call's `before`.
 */
export const listPastAlerts = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/past-alerts",
  access: ownAgent,
  params: botParams,
  query: z.strictObject({ before: z.optional(z.string().check(z.regex(/^\d{1,18}$/))) }),
  status: 200,
  response: z.strictObject({
    alerts: z.array(
      z.strictObject({
        alertName: z.string(),
        receivedAt: isoTime,
        /** False for what came while Auto-Trade was off. */
        hasCounted: z.boolean(),
        /** Close of the bar one of the agent's own conditions fired on. */
        closedAt: z.optional(isoTime),
      }),
    ),
    next: z.nullable(z.string()),
  }),
});
