import * as z from "zod/mini";
import { KEY_STATES } from "../domain/agent-health.ts";
import { VENUE_IDS } from "../domain/venue-id.ts";
import { isoTime, ownAgent } from "./fields.ts";
import { ledgerCheck } from "./ledger.ts";
import { READS, route, type ResponseOf } from "./route.ts";

/** Health of an agent, each part as this server last saw it; null means unknown. */
export const agentHealth = z.strictObject({
  /** Time of the reading; ages are relative to it. */
  at: isoTime,
  isTrading: z.boolean(),
  /** The agent has alerts that are only sent from outside. */
  awaitsAlerts: z.boolean(),
  lastAlert: z.nullable(
    z.strictObject({
      at: isoTime,
      outcome: z.enum(["accepted", "duplicate", "ignored", "refused", "denied"]),
    }),
  ),
  /** Candles for the agent's own conditions; null without such conditions. `waiting` until the first bar closes. */
  candles: z.nullable(
    z.strictObject({
      state: z.enum(["on_time", "late", "missing", "waiting", "resting"]),
      reason: z.optional(z.string()),
      since: z.optional(isoTime),
    }),
  ),
  /** Time of the last reconciliation of its accounts with the records. */
  reconciledAt: z.nullable(isoTime),
  book: z.pick(ledgerCheck, { state: true, checkedAt: true, since: true }),
  venue: z.strictObject({
    id: z.enum(VENUE_IDS),
    isAnswering: z.nullable(z.boolean()),
    /** Since when the node does not answer, or something outside keeps the agent from trading, and why, in one sentence. */
    since: z.optional(isoTime),
    reason: z.optional(z.string()),
  }),
  key: z.nullable(z.enum(KEY_STATES)),
  /** Since when the chain shows its position without the stop of its plan. */
  stopMissingSince: z.nullable(isoTime),
  /** Number of sent orders without an outcome, and the time of the earliest. */
  unsettled: z.strictObject({ orders: z.int(), since: z.optional(isoTime) }),
  /** Milliseconds from an alert's arrival to its fill, over the last day's orders; null without a fill. */
  fills: z.nullable(z.strictObject({ count: z.int(), p50Ms: z.int(), p95Ms: z.int() })),
});

export const getAgentHealth = route("GET", "/api/agents/:botId/status", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent", "position", "custody"],
  pollMs: 15_000,
  pollsWhilePushed: true,
  response: agentHealth,
});

export type AgentHealth = ResponseOf<typeof getAgentHealth>;
