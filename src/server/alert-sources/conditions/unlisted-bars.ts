import { MAX_SIGNAL_AGE_SECONDS } from "../../../domain/freshness.ts";
import type { ConditionFiring } from "../../../strategy/firing.ts";
import type { DueAgent } from "./agent-evaluators.ts";
import type { FiredAgent, UnlistedBars } from "./deliver-firings.ts";

/**
 * Maximum number of a downtime's firings recorded individually per agent, the newest ones; one summary per alert stands
 * for the rest.
 */
const MAX_LISTED_MISSED = 100;

const MAX_AGE_MS = MAX_SIGNAL_AGE_SECONDS * 1_000;

/** Returns the firings of an agent to deliver; null when there are none. */
export function firedAgentOf(
  { agent, sinceMs, doneToMs }: DueAgent,
  firings: readonly ConditionFiring[],
  nowMs: number,
): FiredAgent | null {
  const isOld = ({ closedAtMs }: ConditionFiring) => nowMs - closedAtMs > MAX_AGE_MS;
  const dropped = firings.slice(0, Math.max(0, firings.filter(isOld).length - MAX_LISTED_MISSED));
  const toMs = new Map<string, number>();
  if (sinceMs < doneToMs) for (const { id } of agent.alerts) toMs.set(id, doneToMs);
  for (const { alertKey, closedAtMs } of dropped) toMs.set(alertKey, closedAtMs);
  if (firings.length === 0 && toMs.size === 0) return null;
  const unlisted = [...toMs].map(([alertKey, to]): UnlistedBars => ({
    alertKey,
    fromMs: sinceMs,
    toMs: to,
  }));
  return { agent, firings: firings.slice(dropped.length), unlisted };
}
