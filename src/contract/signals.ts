import * as z from "zod/mini";
import { action, eventId, isoTime, orderId, ownAgent } from "./fields.ts";
import { READS, route, type ResponseOf } from "./route.ts";

export const receivedSignal = z.strictObject({
  eventId,
  alertName: z.string(),
  receivedAt: isoTime,
  outcome: z.enum(["accepted", "duplicate", "ignored", "refused", "denied"]),
  reason: z.optional(z.string()),
  /** Present when one of the agent's own conditions fired; absent for an alert from outside. */
  fired: z.optional(
    z.strictObject({
      /** Close time of the bar. */
      closedAt: isoTime,
      /** Close price of the bar; absent where the line stands for several bars. */
      price: z.optional(z.number()),
      /** Explanation, one sentence per comparison; empty for a schedule. */
      because: z.array(z.string()),
    }),
  ),
  orders: z.array(
    z.strictObject({
      orderId,
      signal: action,
      /** True for the leg of a reversal that closes the other side before an opening. */
      closesFirst: z.optional(z.literal(true)),
      status: z.string(),
      reason: z.optional(z.string()),
      signature: z.optional(z.string()),
    }),
  ),
});

/** The last 100 alerts received, newest first, including refused ones. */
export const listSignals = route("GET", "/api/agents/:botId/signals", {
  ...READS,
  ...ownAgent,
  staleOn: ["signals"],
  pollMs: 3_000,
  response: z.array(receivedSignal),
});

/** Largest number of alerts in one response. */
export const PAST_ALERTS_PAGE = 1_000;

/**
 * Every received alert that the agent had declared, newest first and in pages, for replay. Refused alerts, duplicates
 * and alerts past their retention are left out. `next` is the `before` of the following call.
 */
export const listPastAlerts = route("GET", "/api/agents/:botId/past-alerts", {
  ...READS,
  ...ownAgent,
  staleOn: ["signals"],
  freshMs: 60_000,
  query: z.strictObject({ before: z.optional(z.string().check(z.regex(/^\d{1,18}$/))) }),
  response: z.strictObject({
    alerts: z.array(
      z.strictObject({
        alertName: z.string(),
        receivedAt: isoTime,
        /** False for alerts received while auto-trade was off. */
        hasCounted: z.boolean(),
        /** Close time of the bar on which one of the agent's own conditions fired. */
        closedAt: z.optional(isoTime),
      }),
    ),
    next: z.nullable(z.string()),
  }),
});

export type ReceivedSignal = ResponseOf<typeof listSignals>[number];

export type PastAlert = ResponseOf<typeof listPastAlerts>["alerts"][number];
