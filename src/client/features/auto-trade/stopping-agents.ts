import { createStore } from "zustand/vanilla";
import * as z from "zod/mini";
import { storedValue } from "../../lib/stored.ts";

const kept = storedValue("stopping-agents", 1, z.array(z.string()));

/** Agents this browser knows to be stopping, across reloads: the server may be done before the page looks again. */
export const stoppingAgents = createStore<readonly string[]>(() => kept.read() ?? []);

function keep(next: readonly string[]): void {
  kept.write([...next]);
  stoppingAgents.setState(next, true);
}

/** Remembers that an agent's stopping has begun. */
export function awaitStop(botId: string): void {
  const known = stoppingAgents.getState();
  if (!known.includes(botId)) keep([...known, botId]);
}

/** Forgets it, because it has ended or because trading was turned on again. */
export function forgetStop(botId: string): void {
  const known = stoppingAgents.getState();
  if (known.includes(botId)) keep(known.filter((id) => id !== botId));
}
