import { timestamp } from "./figures.ts";
import type { Shot } from "./http-load.ts";
import type { SeededAgent } from "./seed-agents.ts";

/** Returns distinct bodies: agents in turn, a second apart per agent. */
export function tickShots(agents: readonly SeededAgent[]): () => Shot {
  let sent = 0;
  const startedAtMs = Date.now() - 200_000;
  return () => {
    const agent = agents[sent % agents.length] as SeededAgent;
    const lap = Math.floor(sent / agents.length);
    sent += 1;
    return {
      path: `/webhook/${agent.id}`,
      body: JSON.stringify({
        agentId: agent.id,
        alertName: "tick",
        timestamp: timestamp(startedAtMs + lap * 1_000),
        token: agent.token,
      }),
    };
  };
}
