import { createStore } from "zustand/vanilla";
import * as z from "zod/mini";
import type { AgentId } from "../../../domain/ids.ts";
import { storedEntries } from "../../lib/stored.ts";

const kept = storedEntries("stopping-agents", 1, z.literal(true));

/** Ids of stopping agents, stored across reloads, because a stop may end before the page reads it again. */
export const stoppingAgents = createStore<readonly string[]>(() => [...kept.read().keys()]);

/** Records that an agent is stopping. */
export function awaitStop(agentId: AgentId): void {
  const known = stoppingAgents.getState();
  if (known.includes(agentId)) return;
  kept.write(agentId, true);
  stoppingAgents.setState([...known, agentId], true);
}

/** Removes the record after the stop ended or trading was turned on again. */
export function forgetStop(agentId: AgentId): void {
  const known = stoppingAgents.getState();
  if (!known.includes(agentId)) return;
  kept.remove(agentId);
  const others = known.filter((id) => id !== agentId);
  stoppingAgents.setState(others, true);
}
