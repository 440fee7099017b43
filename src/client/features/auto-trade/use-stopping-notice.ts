import { useEffect, useRef } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { toastDone } from "../../lib/toast.ts";

/** Says once that stopping has ended, when the agent goes from stopping to off. */
export function useStoppingNotice(agent: Agent | null | undefined): void {
  const was = useRef<{ botId: string; stopping: boolean } | null>(null);
  useEffect(() => {
    const before = was.current;
    if (agent && before?.botId === agent.botId && before.stopping && !agent.stopping) {
      if (agent.tradingStatus === "off") {
        toastDone({ title: "Positions Closed & Auto-Trade Disabled" });
      }
    }
    was.current = agent ? { botId: agent.botId, stopping: agent.stopping } : null;
  }, [agent]);
}
