import { effectsOf } from "../../../domain/alert-effect.ts";
import { type RuleState, evaluateAlert } from "../../../domain/rule-engine.ts";
import type { AlertWrites, FiringKey, KnownAgent } from "../../store/intake/alert-transaction.ts";
import type { InboxAgent } from "../../store/intake/inbox.ts";
import type { ReplacedTokenAlerts } from "../../store/alerts/replaced-token-alerts.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import { type JudgedAgent, type Judgement, judgeDelivery } from "./judge-delivery.ts";
import { type PlannedSignals, planSignals } from "./plan-signals.ts";

export interface EvaluationTools {
  readonly newId: () => string;
}

/** What a stored batch changed for one agent. */
export interface TouchedAgent {
  readonly agentId: string;
  readonly chatId: string;
  readonly owner: string;
  readonly hasOrders: boolean;
  readonly hasEntries: boolean;
  /** Refusals and repeats recorded. */
  readonly refusals: number;
  /** Deliveries with a token that is no longer the agent's; null when there was none. */
  readonly replacedToken: ReplacedTokenAlerts | null;
}

export interface BatchOutcome {
  /** In the order of the deliveries. */
  readonly results: readonly DeliveryResult[];
  readonly touched: readonly TouchedAgent[];
}

/** The firings a batch may repeat. */
export function firingsOf(deliveries: readonly Delivery[]): readonly FiringKey[] {
  return deliveries.flatMap(({ agentId, content }) =>
    content.kind !== "refusal" ? [{ agentId, dedupKey: content.dedupKey }] : [],
  );
}

export interface Evaluated {
  readonly value: BatchOutcome;
  readonly writes: AlertWrites;
  /** What is known of the agents once that is committed. */
  readonly after: ReadonlyMap<string, KnownAgent>;
}

/** Firings remembered of an agent, for senders that repeat at once; the database knows the others. */
const REMEMBERED_EVENTS = 3;

/**
 * Judges and counts deliveries in their order, and says what has to be written for it.
 *
 * The agents' lanes have to stay locked until that is committed, so that no two batches count for one agent at once.
 */
export function evaluateBatch(
  known: ReadonlyMap<string, KnownAgent>,
  deliveries: readonly Delivery[],
  tools: EvaluationTools,
): Evaluated {
  const agents = new Map([...known].map(([agentId, each]) => [agentId, toJudged(each)]));
  const rules = new Map([...known].map(([agentId, each]) => [agentId, each.rules]));
  const changed = new Map<string, RuleState>();
  const judgements: Judgement[] = [];
  const plans: { agentId: string; plan: PlannedSignals }[] = [];
  for (const delivery of deliveries) {
    const judged = agents.get(delivery.agentId);
    const judgement = judgeDelivery(delivery, judged, tools.newId());
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
  return { value: { results, touched }, writes, after };
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
  events: new Map(events.map((event) => [event.dedupKey, event])),
});

/** Which agents a batch gave orders, trade log entries and refusals. */
function markTouched(writes: AlertWrites) {
  const refusals = new Map<string, number>();
  for (const { agentId, dedupKey } of writes.events) {
    if (dedupKey === null) refusals.set(agentId, (refusals.get(agentId) ?? 0) + 1);
  }
  const planned = writes.orders.filter((order) => order.deniedFor === null);
  return {
    withOrders: new Set(planned.map(({ agentId }) => agentId)),
    withEntries: new Set(writes.entries.map(({ agentId }) => agentId)),
    refusals,
  };
}

function countReplaced(
  known: ReadonlyMap<string, KnownAgent>,
  deliveries: readonly Delivery[],
): ReadonlyMap<string, ReplacedTokenAlerts> {
  const counted = new Map<string, ReplacedTokenAlerts>();
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
    readonly replacedToken: ReadonlyMap<string, ReplacedTokenAlerts>;
  },
): TouchedAgent {
  return {
    agentId,
    chatId,
    owner,
    hasOrders: marks.withOrders.has(agentId),
    hasEntries: marks.withEntries.has(agentId),
    refusals: marks.refusals.get(agentId) ?? 0,
    replacedToken: marks.replacedToken.get(agentId) ?? null,
  };
}
