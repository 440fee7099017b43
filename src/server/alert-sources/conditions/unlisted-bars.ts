import { MAX_SIGNAL_AGE_SECONDS } from "../../../domain/freshness.ts";
import type { ConditionFiring } from "../../../strategy/firing.ts";
import type { DueAgent } from "./agent-evaluators.ts";
import type { FiredAgent, UnlistedBars } from "./deliver-firings.ts";

/** Firings of a downtime that are listed one by one, the newest of each agent; a line for each alert stands for the rest. */
const MAX_LISTED_MISSED = 100;

const MAX_AGE_MS = MAX_SIGNAL_AGE_SECONDS * 1_000;

/** Returns what of an agent's firings is handed in; null when there is nothing to hand in. */
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
