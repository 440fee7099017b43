import type { FundedAgent } from "../test/trader.ts";
import type { Shot } from "./http-load.ts";
import { timestamp } from "./figures.ts";

/** Returns alerts for the agents in turn: entry in one round, exit in the next. */
export function createAlertRound(agents: readonly FundedAgent[]) {
  let sent = 0;
  return {
    sent: () => sent,
    next(): Shot {
      const agent = agents[sent % agents.length];
      if (agent === undefined) throw new Error("There is no agent to alert");
      const round = Math.floor(sent / agents.length);
      sent += 1;
      return {
        path: `/webhook/${agent.botId}`,
        body: agent.alertBody(round % 2 === 0 ? "enter" : "exit", timestamp(Date.now())),
      };
    },
  };
}
