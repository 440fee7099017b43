import { createStore } from "zustand/vanilla";
import * as z from "zod/mini";
import { storedEntries } from "../../lib/stored.ts";

const kept = storedEntries("stopping-agents", 1, z.literal(true));

/** Agents this browser knows to be stopping, across reloads: the server may be done before the page looks again. */
export const stoppingAgents = createStore<readonly string[]>(() => [...kept.read().keys()]);

/** Remembers that an agent's stopping has begun. */
export function awaitStop(botId: string): void {
  const known = stoppingAgents.getState();
  if (known.includes(botId)) return;
  kept.write(botId, true);
  stoppingAgents.setState([...known, botId], true);
}

/** Forgets it, because it has ended or because trading was turned on again. */
export function forgetStop(botId: string): void {
  const known = stoppingAgents.getState();
  if (!known.includes(botId)) return;
  kept.remove(botId);
  const others = known.filter((id) => id !== botId);
  stoppingAgents.setState(others, true);
}
