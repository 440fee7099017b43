import * as z from "zod/mini";
import { storedEntries } from "../../lib/stored.ts";

/** Hypotheses an agent may get in 24 hours; the server counts too. */
export const MAX_HYPOTHESES_PER_DAY = 20;
const DAY_MS = 24 * 3600_000;

/** When this browser asked for hypotheses, by agent, in Unix milliseconds. */
const storedTimes = storedEntries("hypothesis-times", 1, z.array(z.number()));

function timesOf(agentId: string, now: number): readonly number[] {
  return (storedTimes.read().get(agentId) ?? []).filter((at) => at > now - DAY_MS);
}

/** Says whether one more may be asked for: what the server would refuse must not cost the user's credit. */
export function mayWriteHypothesis(agentId: string, now: number): boolean {
  return timesOf(agentId, now).length < MAX_HYPOTHESES_PER_DAY;
}

export function countHypothesis(agentId: string, now: number, times = 1): void {
  const added = Array.from({ length: times }, () => now);
  storedTimes.write(agentId, [...timesOf(agentId, now), ...added]);
}
