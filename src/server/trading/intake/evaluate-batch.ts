import { effectsOf } from "../../../domain/alert-effect.ts";
import type { AgentId, ChatId, EventId, OwnerAddress } from "../../../domain/ids.ts";
import { type RuleState, evaluateAlert } from "../../../domain/rule-engine.ts";
import type { AlertWrites, KnownAgent } from "../../store/intake/alert-transaction.ts";
import type { InboxAgent } from "../../store/intake/inbox.ts";
import type { ReplacedTokenAlerts } from "../../store/alerts/replaced-token-alerts.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import { eventIdOf } from "./event-id.ts";
import { type JudgedAgent, type DeliveryVerdict, judgeDelivery } from "./judge-delivery.ts";
import { type PlannedSignals, planSignals } from "./plan-signals.ts";

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
  const agents = new Map([...known].map(([agentId, each]) => [agentId, toJudged(each)]));
  const rules = new Map([...known].map(([agentId, each]) => [agentId, each.rules]));
  const changed = new Map<string, RuleState>();
  const judgements: DeliveryVerdict[] = [];
  const plans: { agentId: AgentId; plan: PlannedSignals }[] = [];
  for (const delivery of deliveries) {
    const judged = agents.get(delivery.agentId);
    const judgement = judgeDelivery(delivery, judged, tools.newId);
    const { event, countedAlertId } = judgement;
    if (judged === undefined || event === null || countedAlertId === null) {
      judgements.push(judgement);
      continue;
    }
    const before = rules.get(delivery.agentId) ?? [];
    const evaluation = evaluateAlert(before, countedAlertId);
    const effects = effectsOf(before, evaluation, countedAlertId);
    judgements.push({ ...judgement, event: { ...event, effects } });
    rules.set(delivery.agentId, evaluation.rules);
    for (const [index, rule] of evaluation.rules.entries()) {
      if (rule !== before[index]) changed.set(rule.ruleId, rule);
    }
    if (evaluation.signals.length === 0) continue;
    const cause = { agent: judged.agent, eventId: event.id, atMs: delivery.receivedAtMs };
    const plan = planSignals(evaluation.signals, cause, tools.newId);
    plans.push({ agentId: delivery.agentId, plan });
  }
  const writes: AlertWrites = {
    events: judgements.flatMap(({ event }) => (event === null ? [] : [event])),
    rules: [...changed.values()],
    orders: plans.flatMap(({ plan }) => plan.orders),
    entries: plans.flatMap(({ plan }) => plan.entries),
  };
  const marks = { ...markTouched(writes), replacedToken: countReplaced(known, deliveries) };
  const touched = [...agents.values()].map(({ agent }) => toTouched(agent, marks));
  const after = new Map(
    [...known].map(([agentId, before]) => {
      const events = [...(agents.get(agentId)?.events.values() ?? [])].slice(-REMEMBERED_EVENTS);
      return [agentId, { ...before, ...countedOn(before, rules.get(agentId) ?? []), events }];
    }),
  );
  const results = judgements.map(({ result }) => result);
  return { value: { results, touched }, writes, before: known, after };
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

const toJudged = ({ agent, alertIds, events }: KnownAgent): JudgedAgent => ({
  agent,
  alertIds,
  events: new Map(events.map((event) => [event.id, event])),
});

/** Collects which agents received orders, trade log entries and refusals in a batch. */
function markTouched(writes: AlertWrites) {
  const refusals = new Map<AgentId, number>();
  for (const { agentId, bodyHash, fired } of writes.events) {
    if (bodyHash === null && fired === null)
      refusals.set(agentId, (refusals.get(agentId) ?? 0) + 1);
  }
  const planned = writes.orders.filter((order) => order.deniedFor === null);
  return {
    withOrders: new Set(planned.map(({ agentId }) => agentId)),
    withExits: new Set(
      planned.flatMap(({ agentId, signal }) => (signal.startsWith("CLOSE_") ? agentId : [])),
    ),
    withEntries: new Set(writes.entries.map(({ agentId }) => agentId)),
    refusals,
  };
}

function countReplaced(
  known: ReadonlyMap<AgentId, KnownAgent>,
  deliveries: readonly Delivery[],
): ReadonlyMap<AgentId, ReplacedTokenAlerts> {
  const counted = new Map<AgentId, ReplacedTokenAlerts>();
  for (const { agentId, tokenVersion, receivedAtMs } of deliveries) {
    const current = known.get(agentId)?.agent.tokenVersion;
    if (current === undefined || tokenVersion === null || current === tokenVersion) continue;
    const alerts = (counted.get(agentId)?.alerts ?? 0) + 1;
    counted.set(agentId, { alerts, lastAtMs: receivedAtMs });
  }
  return counted;
}

function toTouched(
  { agentId, chatId, owner }: InboxAgent,
  marks: ReturnType<typeof markTouched> & {
    readonly replacedToken: ReadonlyMap<AgentId, ReplacedTokenAlerts>;
  },
): TouchedAgent {
  return {
    agentId,
    chatId,
    owner,
    hasOrders: marks.withOrders.has(agentId),
    hasExits: marks.withExits.has(agentId),
    hasEntries: marks.withEntries.has(agentId),
    refusals: marks.refusals.get(agentId) ?? 0,
    replacedToken: marks.replacedToken.get(agentId) ?? null,
  };
}
