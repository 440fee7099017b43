import type { AgentId } from "../../../domain/ids.ts";

interface Line {
  readonly urgent: (() => void)[];
  readonly others: (() => void)[];
}

/** Creates turns of agents: one piece of work of an agent at a time, urgent ones first, in the order asked. */
export function createAgentTurns() {
  /** Lines of the agents that have a turn now. */
  const lines = new Map<AgentId, Line>();

  const pass = (agentId: AgentId): void => {
    const line = lines.get(agentId);
    const next = line?.urgent.shift() ?? line?.others.shift();
    if (next === undefined) lines.delete(agentId);
    else next();
  };

  return async <T>(agentId: AgentId, isUrgent: boolean, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(agentId);
    if (line === undefined) lines.set(agentId, { urgent: [], others: [] });
    else await new Promise<void>((go) => (isUrgent ? line.urgent : line.others).push(go));
    try {
      return await work();
    } finally {
      pass(agentId);
    }
  };
}
