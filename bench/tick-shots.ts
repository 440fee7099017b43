import { timestamp } from "./figures.ts";
import type { Shot } from "./http-load.ts";
import type { SeededAgent } from "./seed-agents.ts";

/** How far behind the clock the first bodies are: at full speed an agent gets more than one a second. */
const BEHIND_MS = 200_000;

/** Returns distinct bodies: agents in turn, at least a second apart per agent, and never too old to count. */
export function tickShots(agents: readonly SeededAgent[]): () => Shot {
  let sent = 0;
  // Of each agent its own: with many, a round of them takes longer than an alert may be old
  const lastMs = agents.map(() => 0);
  return () => {
    const turn = sent % agents.length;
    const agent = agents[turn] as SeededAgent;
    const atMs = Math.max((lastMs[turn] ?? 0) + 1_000, Date.now() - BEHIND_MS);
    lastMs[turn] = atMs;
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
