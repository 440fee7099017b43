import * as z from "zod/mini";
import { PLAN_ACTS } from "../domain/plan/plan.ts";
import {
  action,
  decimalText,
  eventId,
  isoTime,
  ownAgent,
  serverId,
  side,
  signedDecimalText,
} from "./fields.ts";
import { READS, route, type ResponseOf, type CallOf } from "./route.ts";

const count = z.int().check(z.minimum(0));

/**
 * A counter of a rule. The name is the one the alert was sent with, or its present one; absent where the alert was
 * deleted.
 */
const counter = z.strictObject({
  alertId: serverId,
  alertName: z.optional(z.string()),
  count,
  requiredCount: count,
});

/** An alert as received. `because` explains in words why one of the agent's own conditions held. */
const arrivedAlert = z.strictObject({
  eventId,
  alertName: z.string(),
  at: isoTime,
  /** Time at which the alert fired according to its sender. */
  firedAt: z.optional(isoTime),
  origin: z.enum(["webhook", "condition"]),
  because: z.optional(z.array(z.string())),
  /** Close price of the bar a condition held on. */
  price: z.optional(z.number()),
});

/** An alert that was counted, with the resulting counter. */
const countedAlert = z.extend(arrivedAlert, { count, requiredCount: count });

/** A rule that an alert counted for, completed or reset, or whose counter for that alert was already full. */
const touchedRule = z.strictObject({
  ruleId: serverId,
  action,
  kind: z.enum(["counted", "full", "fired", "reset"]),
  counters: z.array(counter),
});

/**
 * One risk check with its result. Figures are exact decimal text in `unit`, a time in seconds since 1970; absent where
 * nothing was measured.
 */
const check = z.strictObject({
  name: z.string(),
  reason: z.string(),
  hasPassed: z.boolean(),
  figure: z.optional(signedDecimalText),
  limit: z.optional(signedDecimalText),
  unit: z.optional(
    z.enum(["orders", "trades", "seconds", "time", "sol", "price", "quote", "base"]),
  ),
});

const heldPosition = z.strictObject({
  market: z.string(),
  side,
  size: decimalText,
  /** Entry price and PnL are absent where the cost of the position is unknown. */
  entryPrice: z.optional(decimalText),
  pnl: z.optional(signedDecimalText),
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
  /** Content of the sent transaction: the size rounded for the market, and the worst price it accepts. */
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

/** Result of the order: `size`, `price`, `total` and `fee` of all fills, `pnl` of a closing. */
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
 * Explanation of a trade, or of why none happened. `order`: a signal that became an order; `reset`: counters set back;
 * `alert`: an alert that led to neither. All parts are as recorded at the time; parts that were not recorded are
 * absent.
 */
export const decision = z.strictObject({
  /** Id of the trade log entry, or of the alert that led to none. */
  id: serverId,
  kind: z.enum(["order", "reset", "alert"]),
  at: isoTime,
  market: z.optional(z.string()),
  signal: z.optional(action),
  /** `exit`: a further attempt to close what an earlier order left open. */
  askedBy: z.enum(["alert", "owner", "exit", "plan"]),
  /** What of the position's plan asked for it. */
  plan: z.optional(z.enum(PLAN_ACTS)),
  /** The alert that completed the rule. */
  alert: z.optional(arrivedAlert),
  /** Alerts that counted towards the rule, oldest first, the completing one last. */
  alerts: z.array(countedAlert),
  /** Effect of the completing alert on each rule. */
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

/** Decisions, newest first. `cursor` is the `next` of the previous page. */
export const listDecisions = route("GET", "/api/agents/:botId/decisions", {
  ...READS,
  ...ownAgent,
  staleOn: ["signals"],
  pollMs: 5_000,
  query: z.strictObject({
    cursor: z.optional(z.string().check(z.regex(/^\d{1,18}\.\d{1,18}$/))),
    /**
     * Traded: filled, wholly or in part. Denied: orders that ended without a fill. Untraded: alerts and resets without
     * an order.
     */
    outcome: z.optional(z.enum(["traded", "denied", "untraded"])),
    ruleId: z.optional(serverId),
    alertId: z.optional(serverId),
    /** Selects the decision behind one trade log entry. */
    entryId: z.optional(serverId),
  }),
  response: z.strictObject({
    decisions: z.array(decision),
    /** Null on the last page. */
    next: z.nullable(z.string()),
  }),
});

const reasonCount = z.strictObject({ reason: z.string(), count });

const sum = z.strictObject({
  /** For an alert: how often it was received, and counted or ignored. For a rule: how often it was completed. */
  fired: count,
  traded: count,
  denied: count,
  /** Reasons and their counts, most frequent first. */
  reasons: z.array(reasonCount),
  /** Realised PnL of closed positions; absent where none was closed or the result is unknown. */
  profit: z.optional(signedDecimalText),
  wins: count,
  closed: count,
});

export const sumDecisions = route("GET", "/api/agents/:botId/decisions/sums", {
  ...READS,
  isBig: true,
  ...ownAgent,
  staleOn: ["signals"],
  pollMs: 5_000,
  response: z.strictObject({
    alerts: z.array(z.extend(sum, { alertId: serverId, alertName: z.optional(z.string()) })),
    rules: z.array(z.extend(sum, { ruleId: serverId, action, counters: z.array(counter) })),
  }),
});

export type Decision = ResponseOf<typeof listDecisions>["decisions"][number];

export type DecisionSums = ResponseOf<typeof sumDecisions>;

/** Filter of decisions; absent fields do not filter. */
export type DecisionQuery = Omit<CallOf<typeof listDecisions>["query"], "cursor">;
