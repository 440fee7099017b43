import { timestamp } from "./figures.ts";
import type { Shot } from "./http-load.ts";
import type { SeededAgent } from "./seed-agents.ts";

/** How far behind the clock the first bodies are: at full speed an agent gets more than one a second. */
const BEHIND_MS = 200_000;

/** Returns distinct bodies: agents in turn, at least a second apart per agent, and never too old to count. */
export function tickShots(agents: readonly SeededAgent[]): () => Shot {
  let sent = 0;
  let atMs = 0;
  return () => {
    const agent = agents[sent % agents.length] as SeededAgent;
    if (sent % agents.length === 0) atMs = Math.max(atMs + 1_000, Date.now() - BEHIND_MS);
    sent += 1;
    return {
      path: `/webhook/${agent.id}`,
      body: JSON.stringify({
        agentId: agent.id,
        alertName: "tick",
        timestamp: timestamp(atMs),
        token: agent.token,
      }),
    };
  };
}
