import { useEffect } from "react";
import { useStore } from "zustand";
import type { Agent } from "../../../contract/agent.ts";
import { toastDone } from "../../lib/toast.ts";
import { stoppedTitle } from "./stopped-title.ts";
import { awaitStop, forgetStop, stoppingAgents } from "./stopping-agents.ts";

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
