import * as z from "zod/mini";
import { KEY_STATES } from "../domain/agent-health.ts";
import { VENUE_IDS } from "../domain/venue-id.ts";
import { isoTime, serverId } from "./fields.ts";
import { bookCheck } from "./ledger.ts";
import { defineRoute } from "./route.ts";

/** How an agent is, each part as this server last saw it; null is unknown. */
export const agentHealth = z.strictObject({
  /** When it was read: ages are counted to it. */
  at: isoTime,
  isTrading: z.boolean(),
  /** Has alerts that only somebody outside can send. */
  awaitsAlerts: z.boolean(),
  lastAlert: z.nullable(
    z.strictObject({
      at: isoTime,
      outcome: z.enum(["accepted", "duplicate", "ignored", "refused", "denied"]),
    }),
  ),
  /** Candles of the agent's own conditions; null without any. `waiting` until the first bar closes. */
  candles: z.nullable(
    z.strictObject({
      state: z.enum(["on_time", "late", "missing", "waiting", "resting"]),
      reason: z.optional(z.string()),
      since: z.optional(isoTime),
    }),
  ),
  /** When its accounts were last held against the records. */
  reconciledAt: z.nullable(isoTime),
  book: z.pick(bookCheck, { state: true, checkedAt: true, since: true }),
  venue: z.strictObject({
    id: z.enum(VENUE_IDS),
    isAnswering: z.nullable(z.boolean()),
    /** Since when it does not answer. */
    since: z.optional(isoTime),
  }),
  key: z.nullable(z.enum(KEY_STATES)),
  /** Orders that were sent and whose outcome is not known, and when the first of them was. */
  unsettled: z.strictObject({ orders: z.int(), since: z.optional(isoTime) }),
});

export const getAgentHealth = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/status",
  access: { kind: "owner", of: "agent", id: "params.botId" },
  params: z.strictObject({ botId: serverId }),
  status: 200,
  response: agentHealth,
});
