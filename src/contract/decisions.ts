import * as z from "zod/mini";
import { action, decimalText, isoTime, serverId, side, signedDecimalText } from "./fields.ts";
import { defineRoute } from "./route.ts";

const count = z.int().check(z.minimum(0));

/** A counter of a rule. The name is as the alert was sent, or as it is called now; absent where it was deleted. */
const counter = z.strictObject({
  alertId: serverId,
  alertName: z.optional(z.string()),
  count,
  requiredCount: count,
});

/** An alert as it arrived. `because` says in plain words what a condition of the agent itself held on. */
const arrivedAlert = z.strictObject({
  eventId: serverId,
  alertName: z.string(),
  at: isoTime,
  /** When the sender says it fired. */
  firedAt: z.optional(isoTime),
  origin: z.enum(["webhook", "condition"]),
  because: z.optional(z.array(z.string())),
  /** Close of the bar a condition held on. */
  price: z.optional(z.number()),
});

/** One that counted, with the counter it raised. */
const countedAlert = z.extend(arrivedAlert, { count, requiredCount: count });

/** A rule that an alert counted for, completed, set back, or that had counted enough of it already. */
const touchedRule = z.strictObject({
  ruleId: serverId,
  action,
  kind: z.enum(["counted", "full", "fired", "reset"]),
  counters: z.array(counter),
});

/** One check as it was made. Figures are exact decimal text in `unit`; absent where there is none. */
const check = z.strictObject({
  name: z.string(),
  reason: z.string(),
  hasPassed: z.boolean(),
  figure: z.optional(signedDecimalText),
  limit: z.optional(signedDecimalText),
  unit: z.optional(z.enum(["orders", "trades", "seconds", "price", "quote", "base"])),
});

const heldPosition = z.strictObject({
  market: z.string(),
  side,
  size: decimalText,
  entryPrice: decimalText,
  pnl: signedDecimalText,
});

const account = z.strictObject({
  free: signedDecimalText,
  worth: signedDecimalText,
  positions: z.array(heldPosition),
});

const decidedOrder = z.strictObject({
  side,
  reduceOnly: z.boolean(),
  size: decimalText,
  marketPrice: decimalText,
  slippagePercent: decimalText,
  percentage: z.int(),
  /** What its bytes ask for: the size the market takes, and the worst price they accept. */
  sentSize: z.optional(decimalText),
  worstPrice: z.optional(decimalText),
});

const sentOrder = z.strictObject({
  signature: z.string(),
  bytes: z.int(),
  at: z.optional(isoTime),
});

const fill = z.strictObject({
  signature: z.string(),
  size: decimalText,
  total: decimalText,
  fee: signedDecimalText,
});

/** What came of it: `size`, `price`, `total` and `fee` of everything that filled, `pnl` of a closing. */
const outcome = z.strictObject({
  state: z.string(),
  reason: z.optional(z.string()),
  at: z.optional(isoTime),
  size: z.optional(decimalText),
  price: z.optional(decimalText),
  total: z.optional(decimalText),
  fee: z.optional(signedDecimalText),
  pnl: z.optional(signedDecimalText),
  pnlPercent: z.optional(signedDecimalText),
});

/**
 * Why something was traded, or was not. `order`: a signal that became an order; `reset`: counters set back; `alert`: an
 * alert that led to neither. Everything is as it was recorded when it was decided; absent is what was not recorded.
 */
export const decision = z.strictObject({
  /** Of the trade log's line, or of the alert that led to none. */
  id: serverId,
  kind: z.enum(["order", "reset", "alert"]),
  at: isoTime,
  market: z.optional(z.string()),
  signal: z.optional(action),
  /** `exit`: a further try to close what an earlier order left open. */
  askedBy: z.enum(["alert", "owner", "exit"]),
  /** The alert that decided it. */
  alert: z.optional(arrivedAlert),
  /** Those that counted towards it, oldest first, the deciding one last. */
  alerts: z.array(countedAlert),
  /** What the deciding alert did to each rule it touched. */
  rules: z.array(touchedRule),
  ruleId: z.optional(serverId),
  decidedAt: z.optional(isoTime),
  price: z.optional(decimalText),
  account: z.optional(account),
  checks: z.array(check),
  order: z.optional(decidedOrder),
  sent: z.optional(sentOrder),
  fills: z.array(fill),
  outcome,
});

const ownAgent = { kind: "owner", of: "agent", id: "params.botId" } as const;
const botParams = z.strictObject({ botId: serverId });

/** Newest first. `cursor` is the `next` of the page before. */
export const listDecisions = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/decisions",
  access: ownAgent,
  params: botParams,
  query: z.strictObject({
    cursor: z.optional(z.string().check(z.regex(/^\d{1,18}\.\d{1,18}$/))),
    /** Traded: filled, whole or in part. Denied: orders that ended without. Untraded: alerts and resets without an order. */
    outcome: z.optional(z.enum(["traded", "denied", "untraded"])),
    ruleId: z.optional(serverId),
    alertId: z.optional(serverId),
    /** The one decision behind a line of the trade log. */
    entryId: z.optional(serverId),
  }),
  status: 200,
  response: z.strictObject({
    decisions: z.array(decision),
    /** Null on the last page. */
    next: z.nullable(z.string()),
  }),
});

const reasonCount = z.strictObject({ reason: z.string(), count });

const sum = z.strictObject({
  /** Of an alert: how often it came and counted or was ignored. Of a rule: how often it was completed. */
  fired: count,
  traded: count,
  denied: count,
  /** Why, most often first. */
  reasons: z.array(reasonCount),
  /** Of what was closed: absent where nothing was, or where what was closed is not known. */
  profit: z.optional(signedDecimalText),
  wins: count,
  closed: count,
});

export const sumDecisions = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/decisions/sums",
  access: ownAgent,
  params: botParams,
  status: 200,
  response: z.strictObject({
    alerts: z.array(z.extend(sum, { alertId: serverId, alertName: z.optional(z.string()) })),
    rules: z.array(z.extend(sum, { ruleId: serverId, action, counters: z.array(counter) })),
  }),
});
