import { effectsOf } from "../../../domain/alert-effect.ts";
import {
  type AgentId,
  type ChatId,
  type EventId,
  type OwnerAddress,
  parseOrderId,
  parseEventId,
} from "../../../domain/ids.ts";
import { type RuleState, evaluateAlert, type FiredSignal } from "../../../domain/rule-engine.ts";
import type { AlertEvent, StoredEvent } from "../../store/alerts/alert-events.ts";
import type { AlertWrites, KnownAgent } from "../../store/intake/alert-transaction.ts";
import type { NewOrder } from "../../store/orders/orders.ts";
import type { NewTradeLogEntry } from "../../store/trade-log/trade-log-writes.ts";
import type { ReplacedTokenAlerts } from "../../store/alerts/alerts.ts";
import { type Delivery, type DeliveryResult, eventIdOf } from "./delivery.ts";
import { scalesOf } from "../../../venues/profiles.ts";
import { isCloseSignal, isResetSignal } from "../../../domain/signal.ts";
import type { InboxAgent } from "../../store/intake/inbox.ts";
import { isSignalFresh, mayStillClose } from "../../../domain/freshness.ts";

/** Orders for the agent's lane and trade log entries that result from an alert's signals. */
interface PlannedSignals {
  readonly orders: readonly NewOrder[];
  readonly entries: readonly NewTradeLogEntry[];
}

/** Returns planned orders, denied orders and counter-reset log entries for the signals of one accepted alert. */
function planSignals(
  signals: readonly FiredSignal[],
  cause: { readonly agent: InboxAgent; readonly eventId: EventId; readonly atMs: number },
  newId: () => string,
): PlannedSignals {
  const { agent, eventId, atMs } = cause;
  const scales = scalesOf(agent.venue, agent.marketId);
  const orders: NewOrder[] = [];
  const entries: NewTradeLogEntry[] = [];
  for (const { ruleId, signal, portion, denied } of signals) {
    const orderId = isResetSignal(signal) ? null : parseOrderId(newId());
    if (orderId !== null && !isResetSignal(signal)) {
      orders.push({
        id: orderId,
        agentId: agent.agentId,
        eventId,
        signal,
        leg: 0,
        deniedFor: denied,
        marketId: null,
        exitId: null,
        ...(portion !== undefined && { portion }),
        plannedAtMs: atMs,
      });
    }
    entries.push({
      id: newId(),
      agentId: agent.agentId,
      chatId: agent.chatId,
      eventId,
      orderId,
      ruleId,
      market: agent.marketId,
      signal,
      status: orderId === null ? "success" : denied === null ? "pending" : "failed",
      reason: denied,
      percentage: signal.startsWith("OPEN_")
        ? agent.positionSizePercent
        : orderId === null
          ? 0
          : (portion ?? 100),
      ...scales,
      atMs,
    });
  }
  return { orders, entries };
}

export interface EvaluationTools {
  readonly newId: () => string;
}

/** Changes that a stored batch made to one agent. */
export interface TouchedAgent {
  readonly agentId: AgentId;
  readonly chatId: ChatId;
  readonly owner: OwnerAddress;
  readonly hasOrders: boolean;
  /** Whether one of the orders closes. */
  readonly hasExits: boolean;
  readonly hasEntries: boolean;
  /** Number of refusals and duplicates recorded. */
  readonly refusals: number;
  /** Count of deliveries with a replaced token of the agent; null when there was none. */
  readonly replacedToken: ReplacedTokenAlerts | null;
}

export interface BatchOutcome {
  /** One result per delivery, in the same order. */
  readonly results: readonly DeliveryResult[];
  readonly touched: readonly TouchedAgent[];
}

/** Returns the ids of the events that a batch may duplicate. */
export function firingsOf(deliveries: readonly Delivery[]): readonly EventId[] {
  return deliveries.flatMap(({ agentId, content }) =>
    content.kind !== "refusal" ? [eventIdOf(agentId, content.dedupKey)] : [],
  );
}

export interface Evaluated {
  readonly value: BatchOutcome;
  readonly writes: AlertWrites;
  /** State of the agents it was decided on, and their state after the commit. */
  readonly before: ReadonlyMap<AgentId, KnownAgent>;
  readonly after: ReadonlyMap<AgentId, KnownAgent>;
}

/** Firings cached per agent, for senders that retry at once; older ones are looked up in the database. */
const REMEMBERED_EVENTS = 3;

/**
 * Evaluates and counts deliveries in order, and returns the rows to write.
 *
 * The caller must hold the locks of the agents' lanes until the commit, so that no two batches count for one agent at
 * once.
 */
export function evaluateBatch(
  known: ReadonlyMap<AgentId, KnownAgent>,
  deliveries: readonly Delivery[],
  tools: EvaluationTools,
): Evaluated {
  const agents = new Map([...known].map(([agentId, each]) => [agentId, toEvaluated(each)]));
  const changed = new Map<string, RuleState>();
  const results: DeliveryResult[] = [];
  const events: AlertEvent[] = [];
  const orders: NewOrder[] = [];
  const entries: NewTradeLogEntry[] = [];
  for (const delivery of deliveries) {
    const judged = agents.get(delivery.agentId);
    const { result, event, countedAlertId, isLate } = judgeDelivery(delivery, judged, tools.newId);
    results.push(result);
    if (judged === undefined) continue;
    countReplaced(judged, delivery);
    if (event === null || countedAlertId === null) {
      if (event !== null) events.push(event);
      if (event?.bodyHash === null && event.fired === null) judged.refusals += 1;
      continue;
    }
    const before = judged.rules;
    const counting = isLate ? before.filter(({ action }) => isCloseSignal(action)) : before;
    const evaluation = evaluateAlert(counting, countedAlertId);
    events.push({ ...event, effects: effectsOf(counting, evaluation, countedAlertId) });
    for (const [index, rule] of evaluation.rules.entries()) {
      if (rule !== counting[index]) changed.set(rule.ruleId, rule);
    }
    judged.rules = isLate
      ? before.map((rule) => changed.get(rule.ruleId) ?? rule)
      : evaluation.rules;
    if (evaluation.signals.length === 0) continue;
    const cause = { agent: judged.agent, eventId: event.id, atMs: delivery.receivedAtMs };
    const plan = planSignals(evaluation.signals, cause, tools.newId);
    judged.plans.push(plan);
    orders.push(...plan.orders);
    entries.push(...plan.entries);
  }
  const touched: TouchedAgent[] = [];
  const after = new Map<AgentId, KnownAgent>();
  for (const [agentId, evaluated] of agents) {
    touched.push(toTouched(evaluated));
    after.set(agentId, toAfter(evaluated));
  }
  const writes = { events, rules: [...changed.values()], orders, entries };
  return { value: { results, touched }, writes, before: known, after };
}

/** An agent while its deliveries are evaluated, and what they mean for it. */
interface EvaluatedAgent extends JudgedAgent {
  readonly before: KnownAgent;
  rules: readonly RuleState[];
  readonly plans: PlannedSignals[];
  refusals: number;
  replacedToken: ReplacedTokenAlerts | null;
}

const toEvaluated = (before: KnownAgent): EvaluatedAgent => ({
  agent: before.agent,
  alertIds: before.alertIds,
  events: new Map(before.events.map((event) => [event.id, event])),
  before,
  rules: before.rules,
  plans: [],
  refusals: 0,
  replacedToken: null,
});

function countReplaced(evaluated: EvaluatedAgent, { tokenVersion, receivedAtMs }: Delivery): void {
  if (tokenVersion === null || tokenVersion === evaluated.agent.tokenVersion) return;
  const alerts = (evaluated.replacedToken?.alerts ?? 0) + 1;
  evaluated.replacedToken = { alerts, lastAtMs: receivedAtMs };
}

function toAfter({ before, events, rules }: EvaluatedAgent): KnownAgent {
  const remembered = [...events.values()].slice(-REMEMBERED_EVENTS);
  return { ...before, ...countedOn(before, rules), events: remembered };
}

/** Counting changes the lane's version, however many counters there are; a batch that leaves them as they were does not. */
function countedOn(
  { version, rules: before }: KnownAgent,
  rules: readonly RuleState[],
): Pick<KnownAgent, "version" | "rules"> {
  const isCounted = rules.some((rule, at) =>
    rule.conditions.some(({ count }, place) => count !== before[at]?.conditions[place]?.count),
  );
  return { rules, version: isCounted ? version + 1n : version };
}

function toTouched({ agent, plans, refusals, replacedToken }: EvaluatedAgent): TouchedAgent {
  const { agentId, chatId, owner } = agent;
  const planned = plans.flatMap(({ orders }) => orders.filter((order) => order.deniedFor === null));
  return {
    agentId,
    chatId,
    owner,
    hasOrders: planned.length > 0,
    hasExits: planned.some(({ signal }) => signal.startsWith("CLOSE_")),
    hasEntries: plans.some(({ entries }) => entries.length > 0),
    refusals,
    replacedToken,
  };
}

/** State of an agent while its deliveries are evaluated one after the other. */
interface JudgedAgent {
  readonly agent: InboxAgent;
  /** Alert ids by name key. */
  readonly alertIds: ReadonlyMap<string, string>;
  /** Events by id; an accepted or ignored delivery adds itself. */
  readonly events: Map<EventId, StoredEvent>;
  readonly rules: readonly RuleState[];
}

/** Result of a delivery, the row that records it and, when it counts, the alert it counts for. */
interface DeliveryVerdict {
  readonly result: DeliveryResult;
  readonly event: AlertEvent | null;
  readonly countedAlertId: string | null;
  /** Whether it counts for closing rules only, because it came too late or too early for others. */
  readonly isLate?: boolean;
}

const OUTDATED: DeliveryVerdict = {
  result: { kind: "outdated" },
  event: null,
  countedAlertId: null,
};
const UNKNOWN: DeliveryVerdict = { result: { kind: "unknown" }, event: null, countedAlertId: null };

/** Returns whether an alert that is not fresh counts for closing rules. */
const isLateClosing = (
  rules: readonly RuleState[],
  alertId: string | undefined,
  firedAtMs: number,
  nowMs: number,
): boolean =>
  mayStillClose(firedAtMs, nowMs) &&
  rules.some(
    ({ action, conditions }) =>
      isCloseSignal(action) && conditions.some(({ alertKey }) => alertKey === alertId),
  );

/** Decides the result of a delivery. `newId` names a row that records no firing: a refusal or a duplicate. */
export function judgeDelivery(
  delivery: Delivery,
  judged: JudgedAgent | undefined,
  newId: () => string,
): DeliveryVerdict {
  if (judged === undefined) return UNKNOWN;
  const { content } = delivery;
  if (content.kind === "condition") return judgeFiring(delivery, content, judged);
  if (judged.agent.tokenVersion !== delivery.tokenVersion) return UNKNOWN;
  const record = (
    outcome: AlertEvent["outcome"],
    reason: string | null,
    { id, bodyHash }: Pick<AlertEvent, "id" | "bodyHash"> = {
      id: parseEventId(newId()),
      bodyHash: null,
    },
  ): AlertEvent => ({
    id,
    agentId: delivery.agentId,
    bodyHash,
    alertName: delivery.alertName,
    firedAtMs: content.kind === "alert" ? content.firedAtMs : null,
    receivedAtMs: delivery.receivedAtMs,
    outcome,
    reason,
    effects: null,
    fired: null,
  });
  const refuse = (code: Extract<DeliveryResult, { kind: "refused" }>["code"]): DeliveryVerdict => ({
    result: { kind: "refused", code },
    event: record("refused", code),
    countedAlertId: null,
  });

  if (content.kind === "refusal") return refuse(content.code);
  const { dedupKey, bodyHash, firedAtMs } = content;
  const eventId = eventIdOf(delivery.agentId, dedupKey);
  const earlier = judged.events.get(eventId);
  if (earlier !== undefined) {
    if (earlier.bodyHash !== bodyHash) return refuse("dedup_mismatch");
    return {
      result: { kind: "duplicate", eventId: earlier.id },
      event: record("duplicate", null),
      countedAlertId: null,
    };
  }
  const alertId = judged.alertIds.get(content.alertNameKey);
  const { receivedAtMs } = delivery;
  const isLate = !isSignalFresh(firedAtMs, receivedAtMs, judged.agent.maxSignalAgeSeconds);
  if (isLate && !isLateClosing(judged.rules, alertId, firedAtMs, receivedAtMs)) {
    return refuse("stale_signal");
  }
  if (alertId === undefined) return refuse("alert_unknown");

  const firing = { id: eventId, agentId: delivery.agentId, bodyHash };
  judged.events.set(eventId, firing);
  if (judged.agent.autoTrade !== "on") {
    return {
      result: { kind: "ignored", reason: "trading_off" },
      event: record("ignored", "trading_off", firing),
      countedAlertId: null,
    };
  }
  return {
    result: { kind: "accepted", eventId },
    event: record("accepted", isLate ? "closings_only" : null, firing),
    countedAlertId: alertId,
    isLate,
  };
}

type Firing = Extract<Delivery["content"], { kind: "condition" }>;

/** A condition's firing is repeated only by other servers of this deployment, so a duplicate is not recorded. */
function judgeFiring(
  { agentId, alertName, receivedAtMs }: Delivery,
  { isUnlisted, alertId, dedupKey, firedAtMs, agentChangedAtMs, fired }: Firing,
  { agent, alertIds, events, rules }: JudgedAgent,
): DeliveryVerdict {
  const eventId = eventIdOf(agentId, dedupKey);
  const earlier = events.get(eventId);
  if (earlier !== undefined) {
    return {
      result: { kind: "duplicate", eventId: earlier.id },
      event: null,
      countedAlertId: null,
    };
  }
  const isCurrent = agent.changedAtMs === agentChangedAtMs && agent.autoTrade === "on";
  if (!isCurrent || ![...alertIds.values()].includes(alertId)) return OUTDATED;
  events.set(eventId, { id: eventId, agentId, bodyHash: null });
  const isLate = !isSignalFresh(firedAtMs, receivedAtMs, agent.maxSignalAgeSeconds);
  const isTaken =
    isUnlisted !== true && (!isLate || isLateClosing(rules, alertId, firedAtMs, receivedAtMs));
  const lateReason = isTaken
    ? "closings_only"
    : isUnlisted === true
      ? "bars_unlisted"
      : "bar_missed";
  const event: AlertEvent = {
    id: eventId,
    agentId,
    bodyHash: null,
    alertName,
    firedAtMs,
    receivedAtMs,
    outcome: isTaken ? "accepted" : "refused",
    reason: isLate || !isTaken ? lateReason : null,
    effects: null,
    fired,
  };
  return isTaken
    ? { result: { kind: "accepted", eventId }, event, countedAlertId: alertId, isLate }
    : { result: { kind: "missed" }, event, countedAlertId: null };
}
