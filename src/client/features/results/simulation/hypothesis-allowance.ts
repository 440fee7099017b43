import * as z from "zod/mini";
import type { AgentId } from "../../../../domain/ids.ts";
import { storedEntries } from "../../../lib/stored.ts";

/** Maximum number of hypotheses per agent in 24 hours; the server enforces it too. */
export const MAX_HYPOTHESES_PER_DAY = 20;
const DAY_MS = 24 * 3600_000;

/** Times of this browser's hypothesis requests by agent, Unix milliseconds. */
const storedTimes = storedEntries("hypothesis-times", 1, z.array(z.number()));

function timesOf(agentId: AgentId, now: number): readonly number[] {
  return (storedTimes.read().get(agentId) ?? []).filter((at) => at > now - DAY_MS);
}

/** Returns whether another hypothesis may be requested; one the server refuses would still cost the user's credit. */
export function mayWriteHypothesis(agentId: AgentId, now: number): boolean {
  return timesOf(agentId, now).length < MAX_HYPOTHESES_PER_DAY;
}

export function countHypothesis(agentId: AgentId, now: number, times = 1): void {
  const added = Array.from({ length: times }, () => now);
  storedTimes.write(agentId, [...timesOf(agentId, now), ...added]);
}
