import { hash } from "node:crypto";
import type { AgentId } from "../../../domain/ids.ts";
import type { ConditionAgent } from "../../store/alerts/conditions.ts";
import type { Delivery, DeliveryResult } from "../../trading/intake/delivery.ts";
import type { ConditionFiring } from "../../../strategy/firing.ts";

export type Receive = (delivery: Delivery) => Promise<DeliveryResult>;

/** Maximum number of firings in flight; external alerts share the same intake and must not be refused. */
const MAX_IN_FLIGHT = 1_000;

/** Firings of an agent, oldest first. */
export interface FiredAgent {
  readonly agent: ConditionAgent;
  readonly firings: readonly ConditionFiring[];
  /** Bars of a downtime whose firings are summarised; usually empty. */
  readonly unlisted: readonly UnlistedBars[];
}

/** An alert's bars that closed after one time and up to another, in Unix milliseconds. */
export interface UnlistedBars {
  readonly alertKey: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Delivers firings and returns the agents for which not all were stored, because they changed meanwhile or storing
 * failed.
 */
export async function deliverFirings(
  fired: readonly FiredAgent[],
  deps: {
    readonly receive: Receive;
    readonly nowMs: number;
    readonly onError: (error: unknown) => void;
  },
): Promise<ReadonlySet<AgentId>> {
  const unfinished = new Set<AgentId>();
  const queue = fired.flatMap(({ agent, firings, unlisted }) => [
    ...unlisted.map((bars) => unlistedDelivery(agent, bars, deps.nowMs)),
    ...firings.map((firing) => firingDelivery(agent, firing, deps.nowMs)),
  ]);
  for (let from = 0; from < queue.length; from += MAX_IN_FLIGHT) {
    const chunk = queue.slice(from, from + MAX_IN_FLIGHT);
    const results = await Promise.allSettled(chunk.map((each) => deps.receive(each)));
    for (const [at, result] of results.entries()) {
      const agentId = chunk[at]?.agentId;
      if (result.status === "rejected") deps.onError(result.reason);
      const isStored = result.status === "fulfilled" && result.value.kind !== "outdated";
      if (agentId !== undefined && !isStored) unfinished.add(agentId);
    }
  }
  return unfinished;
}

function firingDelivery(agent: ConditionAgent, firing: ConditionFiring, nowMs: number): Delivery {
  const { alertKey, closedAtMs, price, compared } = firing;
  return toDelivery(agent, nowMs, {
    kind: "condition",
    alertId: alertKey,
    firedAtMs: closedAtMs,
    dedupKey: keyOf("condition", alertKey, closedAtMs),
    fired: { price, compared },
  });
}

/** Returns the summary delivery, keyed by the downtime's start so that all servers store the same one. */
function unlistedDelivery(agent: ConditionAgent, bars: UnlistedBars, nowMs: number): Delivery {
  const { alertKey, fromMs, toMs } = bars;
  return toDelivery(agent, nowMs, {
    kind: "condition",
    isUnlisted: true,
    alertId: alertKey,
    firedAtMs: toMs,
    dedupKey: keyOf("unlisted", alertKey, fromMs),
    fired: { price: null, compared: [] },
  });
}

const keyOf = (kind: string, alertKey: string, timeMs: number): string =>
  hash("sha256", `${kind}\n${alertKey}\n${timeMs}`, "hex");

type Firing = Extract<Delivery["content"], { readonly kind: "condition" }>;

const toDelivery = (
  { agentId, alerts, changedAt }: ConditionAgent,
  receivedAtMs: number,
  content: Omit<Firing, "agentChangedAtMs">,
): Delivery => ({
  agentId,
  tokenVersion: null,
  alertName: alerts.find(({ id }) => id === content.alertId)?.name ?? "",
  receivedAtMs,
  content: { ...content, agentChangedAtMs: changedAt.getTime() },
});
