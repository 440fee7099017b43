import type { KnownAgent } from "../../store/intake/alert-transaction.ts";

/** Maximum number of cached agents; the least recently used is evicted first. */
const MAX_AGENTS = 5_000;

/** In-memory cache of agents that recently received alerts; an entry is valid while its lane's version is unchanged. */
export interface AlertMemory {
  /** Returns the cached state of all given agents, or null when any of them is not cached. */
  recall(agentIds: readonly string[]): ReadonlyMap<string, KnownAgent> | null;
  keep(agents: ReadonlyMap<string, KnownAgent>): void;
  forget(agentIds: readonly string[]): void;
}

export function createAlertMemory(): AlertMemory {
  const kept = new Map<string, KnownAgent>();
  return {
    recall(agentIds) {
      const found = new Map<string, KnownAgent>();
      for (const agentId of agentIds) {
        const known = kept.get(agentId);
        if (known === undefined) return null;
        found.set(agentId, known);
      }
      return found;
    },
    keep(agents) {
      for (const [agentId, known] of agents) {
        kept.delete(agentId);
        kept.set(agentId, known);
      }
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_AGENTS) break;
        kept.delete(oldest);
      }
    },
    forget(agentIds) {
      for (const agentId of agentIds) kept.delete(agentId);
    },
  };
}
