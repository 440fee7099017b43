import { createStore } from "zustand/vanilla";
import * as z from "zod/mini";
import type { AgentId } from "../../../domain/ids.ts";
import { storedEntries } from "../../lib/stored.ts";
import type { Agent } from "../../../contract/agent.ts";
import { useEffect } from "react";
import { useStore } from "zustand";
import { toastDone } from "../../lib/toast.ts";

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

/** Returns the title for an agent that was turned off; the server reports whether a position was closed. */
export const stoppedTitle = ({ closedByStop }: Pick<Agent, "closedByStop">): string =>
  closedByStop === true ? "Positions Closed & Auto-Trade Disabled" : "Auto-Trade Disabled";

/** Shows one toast per agent whose stop has ended, also when this page did not see it in progress. */
export function useStoppingNotice(agents: readonly Agent[]): void {
  const awaited = useStore(stoppingAgents);
  useEffect(() => {
    for (const agent of agents) {
      const { id, name, autoTrade } = agent;
      if (autoTrade === "stopping") awaitStop(id);
      else if (autoTrade === "off" && awaited.includes(id)) {
        forgetStop(id);
        toastDone({ title: stoppedTitle(agent), message: name });
      }
    }
  }, [agents, awaited]);
}
