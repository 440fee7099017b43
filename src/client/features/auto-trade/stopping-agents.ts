import { createStore } from "zustand/vanilla";
import * as z from "zod/mini";
import { storedEntries } from "../../lib/stored.ts";

const kept = storedEntries("stopping-agents", 1, z.literal(true));

/** Agents this browser knows to be stopping, across reloads: the server may be done before the page looks again. */
export const stoppingAgents = createStore<readonly string[]>(() => [...kept.read().keys()]);

/** Remembers that an agent's stopping has begun. */
export function awaitStop(agentId: string): void {
  const known = stoppingAgents.getState();
  if (known.includes(agentId)) return;
  kept.write(agentId, true);
  stoppingAgents.setState([...known, agentId], true);
}

/** Forgets it, because it has ended or because trading was turned on again. */
export function forgetStop(agentId: string): void {
  const known = stoppingAgents.getState();
  if (!known.includes(agentId)) return;
  kept.remove(agentId);
  const others = known.filter((id) => id !== agentId);
  stoppingAgents.setState(others, true);
}
