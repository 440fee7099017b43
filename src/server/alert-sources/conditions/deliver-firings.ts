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
  /** Bars of a downtime whose firings are not listed one by one; none in most cases. */
  readonly unlisted: readonly UnlistedBars[];
}

/** An alert's bars that closed after one time and up to another, Unix milliseconds. */
export interface UnlistedBars {
  readonly alertKey: string;
  readonly fromMs: number;
  readonly toMs: number;
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
  const queue = fired.flatMap(({ agent, firings, unlisted }) => [
    ...unlisted.map((bars) => unlistedDelivery(agent, bars, deps.nowMs)),
    ...firings.map((firing) => firingDelivery(agent, firing, deps.nowMs)),
  ]);
  for (let from = 0; from < queue.length; from += MAX_IN_FLIGHT) {
    const chunk = queue.slice(from, from + MAX_IN_FLIGHT);
    const results = await Promise.allSettled(chunk.map((each) => deps.receive(each)));
    for (const [at, result] of results.entries()) {
      const agentId = chunk[at]?.agentId ?? "";
      if (result.status === "rejected") deps.onError(result.reason);
      if (result.status === "rejected" || result.value.kind === "outdated") unfinished.add(agentId);
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

/** Known by where the downtime began: every server that evaluates it stores the same one line. */
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
