import { hash } from "node:crypto";
import type { ConditionFiring } from "../../../strategy/firing.ts";
import type { ConditionAgent } from "../../store/alerts/conditions.ts";
import type { Delivery, DeliveryResult } from "../../trading/intake/delivery.ts";

export type Receive = (delivery: Delivery) => Promise<DeliveryResult>;

/** Firings handed in at once; alerts from outside share the same intake and must not be turned away. */
const MAX_IN_FLIGHT = 1_000;

/** What fired of an agent, oldest first. */
export interface FiredAgent {
  readonly agent: ConditionAgent;
  readonly firings: readonly ConditionFiring[];
}

/**
 * Hands firings in and answers with the agents of which not all are stored, because they changed meanwhile or because
 * storing failed.
 */
export async function deliverFirings(
  fired: readonly FiredAgent[],
  deps: {
    readonly receive: Receive;
    readonly nowMs: number;
    readonly onError: (error: unknown) => void;
  },
): Promise<ReadonlySet<string>> {
  const unfinished = new Set<string>();
  const queue = fired.flatMap(({ agent, firings }) => firings.map((firing) => ({ agent, firing })));
  for (let from = 0; from < queue.length; from += MAX_IN_FLIGHT) {
    const chunk = queue.slice(from, from + MAX_IN_FLIGHT);
    const results = await Promise.allSettled(
      chunk.map(({ agent, firing }) => deps.receive(toDelivery(agent, firing, deps.nowMs))),
    );
    for (const [at, result] of results.entries()) {
      const agentId = chunk[at]?.agent.agentId ?? "";
      if (result.status === "rejected") deps.onError(result.reason);
      if (result.status === "rejected" || result.value.kind === "outdated") unfinished.add(agentId);
    }
  }
  return unfinished;
}

function toDelivery(agent: ConditionAgent, firing: ConditionFiring, nowMs: number): Delivery {
  const { alertKey, closedAtMs, price, compared } = firing;
  return {
    agentId: agent.agentId,
    tokenVersion: null,
    alertName: agent.alerts.find(({ id }) => id === alertKey)?.name ?? "",
    receivedAtMs: nowMs,
    content: {
      kind: "condition",
      alertId: alertKey,
      firedAtMs: closedAtMs,
      dedupKey: hash("sha256", `condition\n${alertKey}\n${closedAtMs}`, "hex"),
      agentChangedAtMs: agent.changedAt.getTime(),
      fired: { price, compared },
    },
  };
}
