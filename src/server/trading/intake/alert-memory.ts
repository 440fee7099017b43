import type { KnownAgent } from "../../store/intake/alert-transaction.ts";

/** Agents remembered; the one not heard of for longest goes first. */
const MAX_AGENTS = 5_000;

/** What this process knows of the agents it last took alerts in for, good for as long as their lanes' versions stand. */
export interface AlertMemory {
  /** Returns all of the agents, or null when one is not known. */
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
