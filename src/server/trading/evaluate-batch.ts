import { type RuleState, evaluateAlert } from "../../domain/rule-engine.ts";
import { findAlertEvents, insertAlertEvents } from "../store/alert-events.ts";
import { loadAlertIds, loadRuleStates, writeCounters } from "../store/counters.ts";
import type { Db } from "../store/db.ts";
import { type InboxAgent, lockInboxAgents } from "../store/inbox.ts";
import { insertOrders } from "../store/orders.ts";
import { insertTradeLogEntries } from "../store/trade-log-writes.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import { type JudgedAgent, type Judgement, judgeDelivery } from "./judge-delivery.ts";
import { type PlannedSignals, planSignals } from "./plan-signals.ts";

export interface EvaluationTools {
  readonly newId: () => string;
  /** Decimals of what the agent's venue settles in. */
  readonly quoteDecimals: (agent: Pick<InboxAgent, "network" | "venue">) => number;
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
}

export interface BatchOutcome {
  /** In the order of the deliveries. */
  readonly results: readonly DeliveryResult[];
  readonly touched: readonly TouchedAgent[];
}

/**
 * Judges, counts and records deliveries inside the caller's transaction, in their order.
 *
 * Every agent's lane stays locked until the commit, so no two batches count for one agent at once.
 */
export async function evaluateBatch(
  transaction: Db,
  deliveries: readonly Delivery[],
  tools: EvaluationTools,
): Promise<BatchOutcome> {
  const agents = await loadAgents(transaction, deliveries);
  const rules = new Map(
    agents.size === 0 ? [] : await loadRuleStates(transaction, [...agents.keys()]),
  );
  const changed = new Map<string, RuleState>();
  const judgements: Judgement[] = [];
  const plans: { agentId: string; plan: PlannedSignals }[] = [];
  for (const delivery of deliveries) {
    const judged = agents.get(delivery.agentId);
    const judgement = judgeDelivery(delivery, judged, tools.newId());
    judgements.push(judgement);
    const { event, countedAlertId } = judgement;
    if (judged === undefined || event === null || countedAlertId === null) continue;
    const before = rules.get(delivery.agentId) ?? [];
    const evaluation = evaluateAlert(before, countedAlertId);
    rules.set(delivery.agentId, evaluation.rules);
    for (const [index, rule] of evaluation.rules.entries()) {
      if (rule !== before[index]) changed.set(rule.ruleId, rule);
    }
    const cause = { agent: judged.agent, eventId: event.id, atMs: delivery.receivedAtMs };
    const quoteDecimals = tools.quoteDecimals(judged.agent);
    const plan = planSignals(evaluation.signals, cause, { newId: tools.newId, quoteDecimals });
    plans.push({ agentId: delivery.agentId, plan });
  }
  const events = judgements.flatMap(({ event }) => (event === null ? [] : [event]));
  await insertAlertEvents(transaction, events);
  await writeCounters(transaction, [...changed.values()]);
  await insertOrders(
    transaction,
    plans.flatMap(({ plan }) => plan.orders),
  );
  await insertTradeLogEntries(
    transaction,
    plans.flatMap(({ plan }) => plan.entries),
  );
  const touched = [...agents.values()].map(({ agent }): TouchedAgent => {
    const own = plans.filter((each) => each.agentId === agent.agentId);
    return {
      agentId: agent.agentId,
      chatId: agent.chatId,
      owner: agent.owner,
      hasOrders: own.some(({ plan }) => plan.orders.some((order) => order.deniedFor === null)),
      hasEntries: own.some(({ plan }) => plan.entries.length > 0),
      refusals: events.filter((each) => each.agentId === agent.agentId && each.dedupKey === null)
        .length,
    };
  });
  return { results: judgements.map(({ result }) => result), touched };
}

async function loadAgents(
  transaction: Db,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, JudgedAgent>> {
  const named = [...new Set(deliveries.map((delivery) => delivery.agentId))];
  const agents = await lockInboxAgents(transaction, named);
  const agentIds = [...agents.keys()];
  if (agentIds.length === 0) return new Map();
  const keys = deliveries.flatMap(({ content }) =>
    content.kind === "alert" ? [content.dedupKey] : [],
  );
  const alertIds = await loadAlertIds(transaction, agentIds);
  const stored = await findAlertEvents(transaction, agentIds, [...new Set(keys)]);
  return new Map(
    [...agents].map(([agentId, agent]) => [
      agentId,
      {
        agent,
        alertIds: alertIds.get(agentId) ?? new Map<string, string>(),
        events: new Map(
          stored
            .filter((event) => event.agentId === agentId)
            .map((event) => [event.dedupKey, event]),
        ),
      },
    ]),
  );
}
